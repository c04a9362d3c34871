"""Staff reads matches here; what may be done to them is on the operator's page."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from arena.matches.models import Attempt, Host, Match, Outbox, Webhook


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that services keep: a hand in them would break what they promise."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = ["public_id", "purpose", "seats", "state", "rated", "created_at", "finished_at"]
    list_filter = ["state", "purpose", "seats"]
    search_fields = ["public_id"]
    exclude = ["seed"]
    show_full_result_count = False


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    list_display = ["id", "match", "build", "number", "state", "fault", "host", "started_at", "ended_at"]
    list_filter = ["state", "fault"]
    list_select_related = ["match", "build__bot"]
    exclude = ["key_hash"]
    show_full_result_count = False


@admin.register(Host)
class HostAdmin(ReadOnly):
    list_display = ["name", "sandbox", "degraded", "slots", "busy", "paused", "last_beat"]


@admin.register(Outbox)
class OutboxAdmin(ReadOnly):
    list_display = ["id", "kind", "payload", "due_at", "tries", "error"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    list_display = ["url", "owner", "failures", "stopped_at"]
    exclude = ["secret"]
