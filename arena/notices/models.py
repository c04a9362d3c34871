"""What people are told: notices on the site, e-mails, and calls to webhooks."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Notice(models.Model):
    """Something that a user should know, shown on the site and sent by e-mail."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    text = models.TextField()
    link = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index("user", condition=models.Q(read_at=None), name="notices_notice_unread"),
        ]

    def __str__(self) -> str:
        return self.text


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    """The key that signs calls, so that the receiver can verify them."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True)
    """Several failures in a row pause it, for longer each time."""
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["owner", "url"], name="notices_webhook_once")]

    def __str__(self) -> str:
        return self.url

    @property
    def is_paused(self) -> bool:
        return self.paused_until is not None and self.paused_until > timezone.now()


class Deliveries(models.QuerySet["WebhookDelivery"]):
    def due(self) -> "Deliveries":
        """Return the calls to make now, without those of webhooks that are stopped or paused."""
        waiting = self.filter(due_at__lte=Now(), delivered_at=None, webhook__stopped_at=None)
        return waiting.exclude(webhook__paused_until__gt=Now())


class WebhookDelivery(models.Model):
    """One event for one webhook; its id is sent along, so that a receiver can recognise a repeated call."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(_("event"), max_length=40)
    subject = models.CharField(_("subject"), max_length=40)
    body = models.TextField(_("body"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    due_at = models.DateTimeField(_("due"), null=True, blank=True, db_default=Now())
    """When it is tried next; null once it is delivered or given up."""
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    answer = models.CharField(_("last answer"), max_length=200, blank=True)

    objects = Deliveries.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes = [
            models.Index(fields=["due_at"], name="matches_delivery_due", condition=Q(due_at__isnull=False))
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "event", "subject"], name="notices_webhookdelivery_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook_id}"


class OwedMail(models.Model):
    """An e-mail, stored until a mail server has accepted it.

    It is neither on the queue, which match hosts can read, nor in the administration: its links grant access.
    """

    subject = models.TextField()
    body = models.TextField()
    from_email = models.TextField()
    to = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("mail owed")
        verbose_name_plural = _("mails owed")

    def __str__(self) -> str:
        return f"mail {self.pk}"
