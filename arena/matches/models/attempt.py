"""One try at a match, or at building a version, on one match host."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Version
from arena.matches.models.match import Match


class AttemptState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    LOST = "lost", _("lost")
    REFUSED = "refused", _("refused")
    GIVEN_BACK = "given_back", _("given back")
    OVERRUN = "overrun", _("stopped, since it took too long")


class AttemptFault(models.TextChoices):
    """Whose fault it was that the attempt went wrong."""

    NONE = "none", _("nobody")
    BOT = "bot", _("a bot")
    HOST = "host", _("the match host")
    ARENA = "arena", _("the arena")


OPEN = (AttemptState.QUEUED, AttemptState.RUNNING)


class Attempt(models.Model):
    """A row is written on only while it is open; each step out of a state is guarded by that state."""

    State = AttemptState
    Fault = AttemptFault

    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="attempts")
    build = models.ForeignKey(Version, models.CASCADE, null=True, blank=True, related_name="build_attempts")
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(
        _("state"), max_length=10, choices=AttemptState.choices, default=AttemptState.QUEUED
    )
    host = models.CharField(_("match host"), max_length=100, blank=True)
    key_hash = models.CharField(max_length=64, blank=True)
    """SHA-256 of the key that the claiming host chose: beats and reports must show it."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    """When its wake-up was last put on the queue: what is queued and never sent, the relay sends."""
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    fault = models.CharField(
        _("fault"), max_length=5, choices=AttemptFault.choices, default=AttemptFault.NONE
    )
    note = models.TextField(_("note"), blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints = [
            models.CheckConstraint(
                condition=Q(match__isnull=False, build=None) | Q(match=None, build__isnull=False),
                name="matches_attempt_one_work",
            ),
            models.CheckConstraint(condition=Q(state__in=AttemptState.values), name="matches_attempt_state"),
            models.UniqueConstraint(fields=["match", "number"], name="matches_attempt_number_once"),
            models.UniqueConstraint(fields=["build", "number"], name="matches_attempt_build_once"),
            # Two attempts at one work are never open at once, whatever a service does.
            models.UniqueConstraint(
                fields=["match"], condition=Q(state__in=OPEN), name="matches_attempt_one_open"
            ),
            models.UniqueConstraint(
                fields=["build"], condition=Q(state__in=OPEN), name="matches_attempt_one_build"
            ),
        ]
        indexes = [
            models.Index(fields=["sent_at"], condition=Q(state="queued"), name="matches_attempt_queued"),
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="matches_attempt_leased"),
            models.Index(fields=["ended_at"], name="matches_attempt_ended"),
        ]

    def __str__(self) -> str:
        work = f"match {self.match_id}" if self.match_id else f"build {self.build_id}"
        return f"{work}, attempt {self.number}"
