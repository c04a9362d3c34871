"""Staff finds, voids and reruns matches here; the operator's page shows those that wait for it."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.accounts.staff import LookOnly, act_with_reason
from arena.matches.models import Attempt, Host, Match, Outbox, Webhook
from arena.matches.services import rerun_match, void_match


@admin.register(Match)
class MatchAdmin(LookOnly):
    list_display = ["public_id", "purpose", "seats", "state", "rated", "created_at", "finished_at"]
    list_filter = ["state", "purpose", "seats"]
    search_fields = ["=public_id"]
    exclude = ["seed"]
    actions = ["void", "rerun"]
    show_full_result_count = False

    @admin.action(description=gettext_lazy("Void"), permissions=["view"])
    def void(self, request: HttpRequest, rows: QuerySet[Match]) -> TemplateResponse | None:
        staff: Any = request.user
        return act_with_reason(
            self, request, rows, _("Void"), lambda match, reason: void_match(match.pk, reason, staff)
        )

    @admin.action(description=gettext_lazy("Rerun what was set aside"), permissions=["view"])
    def rerun(self, request: HttpRequest, rows: QuerySet[Match]) -> None:
        staff: Any = request.user
        done = sum(rerun_match(match.pk, staff) for match in rows)
        messages.success(request, _("%d matches are played again.") % done)


@admin.register(Attempt)
class AttemptAdmin(LookOnly):
    list_display = ["id", "match", "build", "number", "state", "fault", "host", "started_at", "ended_at"]
    list_filter = ["state", "fault"]
    list_select_related = ["match", "build__bot"]
    exclude = ["key_hash"]
    show_full_result_count = False


@admin.register(Host)
class HostAdmin(LookOnly):
    list_display = ["name", "sandbox", "degraded", "slots", "busy", "paused", "last_beat"]


@admin.register(Outbox)
class OutboxAdmin(LookOnly):
    list_display = ["id", "kind", "payload", "due_at", "tries", "error"]


@admin.register(Webhook)
class WebhookAdmin(LookOnly):
    list_display = ["url", "owner", "failures", "stopped_at"]
    exclude = ["secret"]
