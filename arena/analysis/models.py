"""What is worked out about finished matches, and what people try from their positions."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.matches.models import Match
from arena.matches.models.match import new_public_id

LONGEST_NAME = 80


class Explanation(models.Model):
    """A match explained without hindsight. More worlds replace fewer."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="explanation")
    worlds = models.PositiveSmallIntegerField(_("worlds per decision"))
    packed = models.BinaryField(_("explanation"))
    """What `explaining.explain` returns; the seed is in it."""
    created_at = models.DateTimeField(_("worked out"), auto_now=True)

    class Meta:
        verbose_name = _("explanation")
        verbose_name_plural = _("explanations")

    def __str__(self) -> str:
        return f"explanation of match {self.match_id}"


class Branch(models.Model):
    """A position that could have been: a match after so many actions, then other actions."""

    key = models.CharField(_("address"), max_length=16, default=new_public_id, unique=True)
    match = models.ForeignKey(Match, models.CASCADE, related_name="%(class)ss")
    number = models.PositiveSmallIntegerField(_("actions of the match"))
    actions = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("actions"), default=list)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("author"),
    )  # fmt: skip
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.key


class Variation(Branch):
    """A branch that somebody has named, to share it."""

    name = models.CharField(_("name"), max_length=LONGEST_NAME)

    class Meta:
        verbose_name = _("variation")
        verbose_name_plural = _("variations")
        indexes = [models.Index(fields=["match", "-id"], name="analysis_variation_latest")]

    def get_absolute_url(self) -> str:
        return reverse("match-variation", args=[self.match.public_id, self.key])


class ContinuationEnding(models.TextChoices):
    """Why a continuation ended before all of its games were played."""

    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("the match hosts failed")


class Continuation(Branch):
    """Games played on by bots from a branch, in worlds that one seat could not tell apart."""

    Ending = ContinuationEnding

    seat = models.PositiveSmallIntegerField(_("seat"))
    bots = ArrayField(models.CharField(max_length=60), verbose_name=_("bots"))
    """By seat: one of `continuing.BOTS`; on match hosts the address of a bot and the number of a version."""
    games = models.PositiveSmallIntegerField(_("games"))
    seed = models.CharField(_("seed"), max_length=32)
    result = models.JSONField(_("result"), null=True, blank=True)
    """What `continuing.play_on` returns; null until it is computed."""
    is_on_hosts = models.BooleanField(_("on match hosts"), default=False, db_default=False)
    ending = models.CharField(
        _("ended early"),
        max_length=10,
        choices=ContinuationEnding.choices,
        blank=True,
        default="",
        db_default="",
    )

    class Meta:
        verbose_name = _("continuation")
        verbose_name_plural = _("continuations")
        indexes = [
            # For quotas: few continuations are played on match hosts.
            models.Index(
                fields=["author", "created_at"],
                condition=Q(is_on_hosts=True),
                name="analysis_continuation_quota",
            ),
        ]

    def get_absolute_url(self) -> str:
        return reverse("match-continuation", args=[self.match.public_id, self.key])
