from django.contrib import admin

from arena.accounts.staff import LookOnly
from arena.discovery.models import Follow


@admin.register(Follow)
class FollowAdmin(LookOnly):
    list_display = ("user", "bot", "tournament", "created_at")
    list_select_related = ("user", "bot", "tournament")
