"""Match hosts and their attempts, as staff see them."""

from django.contrib import admin

from arena.accounts.staff import LookOnly
from arena.hosts.models import Attempt, Host


@admin.register(Attempt)
class AttemptAdmin(LookOnly):
    list_display = [
        "id",
        "match",
        "build",
        "worlds",
        "number",
        "state",
        "fault",
        "host",
        "started_at",
        "ended_at",
    ]
    list_filter = ["state", "fault"]
    list_select_related = ["match", "build__bot", "worlds"]
    exclude = ["key_hash"]


@admin.register(Host)
class HostAdmin(LookOnly):
    list_display = ["name", "sandbox", "degraded", "slots", "busy", "paused", "last_beat"]
