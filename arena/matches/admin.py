"""Where staff find, void and rerun matches; the operator's page lists those that need attention."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.accounts.requests import person_of
from arena.accounts.staff import KnownValues, LookOnly, act_with_reason
from arena.bots.selectors import open_private
from arena.matches.models import Match, MatchSeat
from arena.matches.services import rerun_match, void_match

SEAT_FIELDS = ["seat", "version", "placement", "score", "fault", "strikes", "time_used_ms"]
LOG_FIELDS = ["seat", "version", "fault", "fault_reason", "output", "notes"]


class SeatInline(admin.TabularInline):
    model = MatchSeat
    fields = [*SEAT_FIELDS]
    readonly_fields = SEAT_FIELDS
    extra = max_num = 0
    can_delete = False
    show_change_link = False


class SeatWithLogInline(SeatInline):
    fields = [*LOG_FIELDS]
    readonly_fields = LOG_FIELDS
    verbose_name_plural = gettext_lazy("what the bots wrote")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchSeat]:
        return super().get_queryset(request).select_related("log")

    @admin.display(description=gettext_lazy("output"))
    def output(self, seat: MatchSeat) -> SafeString:
        return format_html("<pre>{}</pre>", seat.log.output if hasattr(seat, "log") else "")

    @admin.display(description=gettext_lazy("notes"))
    def notes(self, seat: MatchSeat) -> SafeString:
        notes = seat.log.notes.items() if hasattr(seat, "log") else []
        return format_html("<pre>{}</pre>", "\n".join(f"{step}: {note}" for step, note in notes))


class SeatsFilter(KnownValues):
    title, parameter_name, values = gettext_lazy("seats"), "seats", ("2", "3", "4")


@admin.register(Match)
class MatchAdmin(LookOnly):
    """What bots wrote is shown on request, which is recorded."""

    list_display = ["public_id", "purpose", "seats", "state", "rated", "created_at", "finished_at"]
    list_filter = ["state", "purpose", SeatsFilter]
    search_fields = ["public_id__exact"]  # by its index
    exclude = ["seed", "own_ruleset", "own_clocks", "own_board_id", "own_board_hash"]
    actions = ["void", "rerun"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        return super().get_search_results(request, queryset, search_term.lower())

    def get_inlines(self, request: HttpRequest, obj: Match | None) -> tuple[type[SeatInline], ...]:
        return (SeatWithLogInline,) if "logs" in request.GET else (SeatInline,)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        match = self.get_object(request, object_id)
        if isinstance(match, Match) and "logs" in request.GET and self.has_view_permission(request, match):
            for seat in match.seats_taken.select_related("version__bot"):
                open_private(person_of(request), seat.version, f"read logs of match {match.public_id}")
        links = [("?logs", _("Read logs (recorded)"))]
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "links": links})

    @admin.action(description=gettext_lazy("Void"), permissions=["view"])
    def void(self, request: HttpRequest, rows: QuerySet[Match]) -> TemplateResponse | None:
        staff = person_of(request)
        return act_with_reason(
            self, request, rows, _("Void"), lambda match, reason: void_match(match.pk, reason, staff)
        )

    @admin.action(description=gettext_lazy("Rerun"), permissions=["view"])
    def rerun(self, request: HttpRequest, rows: QuerySet[Match]) -> TemplateResponse | None:
        staff = person_of(request)
        return act_with_reason(
            self, request, rows, _("Rerun"), lambda match, reason: rerun_match(match.pk, staff, reason)
        )
