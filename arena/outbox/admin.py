"""The outbox, as staff see it."""

from django.contrib import admin

from arena.accounts.staff import LookOnly
from arena.outbox.models import Outbox


@admin.register(Outbox)
class OutboxAdmin(LookOnly):
    list_display = ["id", "kind", "payload", "due_at", "tries", "error"]
