"""A table at which people play, and its seats."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Version
from arena.matches.models import Match
from arena.matches.models.match import new_public_id


class Pace(models.IntegerChoices):
    """How many seconds a person has for each decision."""

    QUICK = 30, _("Quick: 30 seconds for each decision")
    NORMAL = 120, _("Normal: 2 minutes for each decision")
    RELAXED = 600, _("Relaxed: 10 minutes for each decision")


class OnLeaving(models.TextChoices):
    """What becomes of the seat of somebody who leaves; the values are those of the match host."""

    BOT = "bot", _("A house bot plays on")
    RESIGN = "resign", _("They resign")


class Table(models.Model):
    """Where people sit down. Once every seat is taken, its match is requested."""

    public_id = models.CharField(_("address"), max_length=16, default=new_public_id, unique=True)
    match = models.OneToOneField(Match, models.CASCADE, null=True, blank=True, related_name="table")
    edition = models.CharField(_("edition"), max_length=40)
    pace = models.PositiveSmallIntegerField(_("pace"), choices=Pace.choices, default=Pace.NORMAL)
    on_leaving = models.CharField(
        _("if somebody leaves"), max_length=6, choices=OnLeaving.choices, default=OnLeaving.BOT
    )
    actions = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("actions"), default=list)
    """What was played so far: enough to set the table up again on another host."""
    moved_at = models.DateTimeField(_("last action"), null=True, blank=True)
    opened_from = models.CharField(max_length=64, db_index=True)
    """Who opened it, as `services` counts open tables: an account, or a hash of a network address."""
    rematch = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch_of", verbose_name=_("rematch")
    )
    created_at = models.DateTimeField(_("opened"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("table")
        verbose_name_plural = _("tables")

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.public_id])


class TableSeat(models.Model):
    """A seat at a table. Where a person sits, its bot takes over if they leave."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="table_seats", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    is_person = models.BooleanField(_("a person"))
    version = models.ForeignKey(Version, models.PROTECT, related_name="+", verbose_name=_("version"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    token_hash = models.CharField(max_length=64, blank=True)
    """SHA-256 of the token that the person's browser keeps; empty while nobody has sat down."""
    answer_step = models.PositiveIntegerField(null=True, blank=True)
    answer_action = models.SmallIntegerField(null=True, blank=True)
    """The person's latest decision: their match host plays it, or the next one if that host dies."""
    resigned_at = models.PositiveIntegerField(null=True, blank=True)
    """After how many actions of the game they resigned."""
    has_left = models.BooleanField(default=False)
    """Whether the bot has taken the seat over."""

    class Meta:
        ordering = ["table_id", "seat"]
        verbose_name = _("seat at a table")
        verbose_name_plural = _("seats at tables")
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="play_tableseat_once"),
            models.CheckConstraint(condition=Q(seat__lte=3), name="play_tableseat_number"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} seat {self.seat}"

    @property
    def is_free(self) -> bool:
        return self.is_person and not self.token_hash
