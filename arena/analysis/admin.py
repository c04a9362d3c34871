from django.contrib import admin

from arena.accounts.staff import OnlyOfferedLookups
from arena.analysis.models import Variation


@admin.register(Variation)
class VariationAdmin(OnlyOfferedLookups):
    """Names come from strangers, so staff can remove a variation."""

    list_display = ("key", "name", "author", "created_at")
    search_fields = ("key", "name")
    raw_id_fields = ("match", "author")
    readonly_fields = ("key", "number", "actions")
