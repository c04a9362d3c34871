from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from arena.accounts import audit
from arena.accounts.requests import person_of
from arena.accounts.staff import OnlyOfferedLookups
from arena.analysis.models import Variation


@admin.register(Variation)
class VariationAdmin(OnlyOfferedLookups):
    """Names come from strangers, so staff can remove a variation; the audit log records it."""

    list_display = ("key", "name", "author", "created_at")
    search_fields = ("key", "name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Variation | None = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Variation) -> None:
        audit.record(person_of(request), "delete variation", obj)
        obj.delete()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Variation]) -> None:
        for variation in queryset:
            self.delete_model(request, variation)
