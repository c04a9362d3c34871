"""Staff look at promotion tests; what they say follows from their matches, which staff may void."""

from django.contrib import admin

from arena.accounts.staff import LookOnly
from arena.promotions.models import PromotionTest


@admin.register(PromotionTest)
class PromotionTestAdmin(LookOnly):
    list_display = ["bot", "version", "baseline", "state", "sets", "most_sets", "started_at", "ended_at"]
    list_select_related = ["bot", "version__bot", "baseline__bot"]
    list_filter = ["state"]
