"""Tables at which people play, challenges of the day, and what people have achieved."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Bot, Version
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


class DailyChallenge(models.Model):
    """The bot to beat on one day: the same deal, edition and order of seats for everybody."""

    day = models.DateField(_("day"), unique=True)
    version = models.ForeignKey(Version, models.PROTECT, related_name="+", verbose_name=_("version"))
    edition = models.CharField(_("edition"), max_length=40)
    seed = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["-day"]
        verbose_name = _("challenge of the day")
        verbose_name_plural = _("challenges of the day")

    def __str__(self) -> str:
        return self.day.isoformat()


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
    is_guided = models.BooleanField(_("first game"), default=False)
    """Whether a coach explains the game as it goes."""
    has_hints = models.BooleanField(_("hints"), default=False)
    """Whether its person may ask a house bot. Never where two people play."""
    challenge = models.ForeignKey(
        DailyChallenge,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("challenge of the day"),
    )
    is_counted = models.BooleanField(default=False)
    """Whether its result is part of what `PersonTotal` and `PersonAgainstBot` count."""
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
    is_replaced = models.BooleanField(default=False)
    """Whether a bot sat here that could not go on after its host's death, so that a house bot plays on."""
    hints_taken = models.PositiveSmallIntegerField(_("hints taken"), default=0)

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


class PersonTotal(models.Model):
    """What somebody with an account has played and won at tables."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    games = models.PositiveIntegerField(_("games"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)

    class Meta:
        ordering = ["-wins", "id"]
        verbose_name = _("person's results")
        verbose_name_plural = _("people's results")
        indexes = [models.Index(fields=["-wins", "id"], name="play_persontotal_wins")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.wins} of {self.games}"


class PersonAgainstBot(models.Model):
    """Head to head: the games in which a person met a bot, and those in which they placed before it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="+", db_index=False)
    games = models.PositiveIntegerField(_("games"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)

    class Meta:
        ordering = ["-games", "id"]
        verbose_name = _("person against a bot")
        verbose_name_plural = _("people against bots")
        constraints = [models.UniqueConstraint(fields=["user", "bot"], name="play_personagainstbot_once")]
        indexes = [
            models.Index(fields=["user", "-games", "id"], name="play_person_met"),
            models.Index(fields=["bot", "-wins", "id"], name="play_bot_met"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} against {self.bot_id}: {self.wins} of {self.games}"
