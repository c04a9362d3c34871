from django.contrib import admin

from arena.accounts.staff import LookOnly
from arena.replays.models import WinChances


@admin.register(WinChances)
class WinChancesAdmin(LookOnly):
    list_display = ["match", "playouts", "created_at"]
