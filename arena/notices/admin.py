"""Webhooks, as staff see them, without their secrets."""

from django.contrib import admin
from django.db import models

from arena.accounts.staff import LookOnly
from arena.notices.models import Webhook


@admin.register(Webhook)
class WebhookAdmin(LookOnly):
    list_display = ["url", "owner", "failures", "paused_until", "stopped_at"]
    exclude = ["secret"]
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
