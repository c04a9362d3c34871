"""Who follows what."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Bot
from arena.tournaments.models import Tournament


class Follow(models.Model):
    """Somebody wants to be told about a bot or an event: exactly one of the two."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows", verbose_name=_("user")
    )
    bot = models.ForeignKey(
        Bot, models.CASCADE, null=True, blank=True, related_name="followers", verbose_name=_("bot")
    )
    tournament = models.ForeignKey(
        Tournament,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="followers",
        verbose_name=_("tournament"),
    )
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(fields=["user", "bot"], name="discovery_follow_bot_once"),
            models.UniqueConstraint(fields=["user", "tournament"], name="discovery_follow_event_once"),
            models.CheckConstraint(
                condition=Q(bot__isnull=True) ^ Q(tournament__isnull=True), name="discovery_follow_one_thing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.bot or self.tournament}"
