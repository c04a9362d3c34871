"""Addresses that authors want called when a match of theirs is over."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    """With which calls are signed, so that the receiver knows them to be ours."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["owner", "url"], name="matches_webhook_once")]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One event for one webhook; its id is in the call, so that a receiver can tell a repeated one."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(_("event"), max_length=40)
    subject = models.CharField(_("subject"), max_length=40)
    body = models.TextField(_("body"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    answer = models.CharField(_("last answer"), max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "event", "subject"], name="matches_webhookdelivery_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook_id}"
