"""Ladders and their seasons, the log of results, and what is folded from it."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Bot
from arena.hosts.live_frames import live_delay_field
from arena.ladders.tally_models import CardTally, MeetingBlock, SeatTally, VersionPair
from arena.matches.models import DuplicateSet, Match

__all__ = [
    "CardTally", "Entry", "Ladder", "MeetingBlock", "RatingChange", "Result", "Season", "SeatTally",
    "Standing", "Strength", "StrengthMoment", "VersionPair",
]  # fmt: skip


class Ladder(models.Model):
    """A standing contest of one seat count, edition and clock."""

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=60, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    seats = models.PositiveSmallIntegerField(_("seats"))
    ruleset = models.JSONField(_("ruleset"))
    clocks = models.JSONField(_("clocks"))
    house_fixed = models.BooleanField(
        _("house bots are fixed points"),
        default=True,
        help_text=_(
            "Their ratings stay where they are, so that ratings mean the same from season to season."
        ),
    )
    duplicate = models.BooleanField(
        _("duplicate sets"),
        default=False,
        help_text=_("Play each seed over all rotations of the seats and count the set as one result."),
    )
    depth = models.PositiveSmallIntegerField(
        _("queue depth"), default=8, help_text=_("How many matches are kept waiting or running.")
    )
    a_minute = models.PositiveSmallIntegerField(
        _("matches per minute"),
        null=True,
        blank=True,
        help_text=_("The most that are made in any minute; leave it empty for as many as hosts can play."),
    )
    live_delay = live_delay_field()
    is_open = models.BooleanField(_("open"), default=True, help_text=_("Whether new matches are made."))
    entered_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When bots were last compared with the entries, so that none stays outside by accident."""
    entered_to = models.BigIntegerField(default=0, editable=False)
    """The last bot of that comparison; the next one goes on behind it."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["seats", "name"]
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        constraints = [
            models.CheckConstraint(condition=Q(seats__gte=2, seats__lte=4), name="ladders_ladder_seats")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("ladder", args=[self.slug])


class Season(models.Model):
    """A period of a ladder. Settling takes this row's lock, so results are folded one after another."""

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="seasons")
    number = models.PositiveIntegerField(_("number"))
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    """Set once its last match is settled: its standings are final."""
    last_sequence = models.PositiveIntegerField(default=0)
    ranked_to = models.PositiveIntegerField(default=0, editable=False)
    """Best ranks are noted up to this result."""
    corrected_from = models.PositiveIntegerField(null=True, blank=True, editable=False)
    """The result before which a correction under way began."""
    corrected_to = models.PositiveIntegerField(null=True, blank=True, editable=False)
    """While a correction is under way: what follows from the results up to this one is right again."""
    estimated_to = models.PositiveIntegerField(default=0, editable=False)
    """Strengths are estimated from the results up to this one, ..."""
    estimated_at = models.DateTimeField(null=True, blank=True, editable=False)
    """... then, ..."""
    estimated_in = models.FloatField(default=0.0, editable=False)
    """... in so many seconds."""
    tallied_to = models.PositiveIntegerField(default=0, editable=False)
    """The counts by version (`tally_models`) have the results up to this one."""
    luck_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    """Of the value function that measures luck, known since before its first match; empty for none."""

    class Meta:
        ordering = ["-number"]
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = [
            models.UniqueConstraint(fields=["ladder", "number"], name="ladders_season_number_once"),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")), name="ladders_season_ends_later"
            ),
            models.CheckConstraint(
                condition=Q(corrected_from=None, corrected_to=None)
                | Q(corrected_from__isnull=False, corrected_to__gte=F("corrected_from")),
                name="ladders_season_correction",
            ),
        ]
        indexes = [
            models.Index("id", condition=Q(corrected_to__isnull=False), name="ladders_season_corrected")
        ]

    def __str__(self) -> str:
        return f"{self.ladder.name}, {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.ladder.slug, self.number])

    @property
    def corrected_percent(self) -> int | None:
        """How far a correction is; None where none is under way."""
        if self.corrected_from is None or self.corrected_to is None:
            return None
        return (
            100
            * (self.corrected_to - self.corrected_from)
            // max(self.last_sequence - self.corrected_from, 1)
        )


class Entry(models.Model):
    """A bot that takes part in a ladder, until it leaves."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="entries")
    fixed_rating = models.FloatField(
        _("fixed rating"), null=True, blank=True, help_text=_("Of a house bot, where those are fixed points.")
    )
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    paired_at = models.DateTimeField(null=True, blank=True)
    """When it last had its turn: the entry that has waited longest is paired first."""
    seats_had = models.JSONField(default=list)
    """How often it had each seat, so that seats rotate."""
    best_rank = models.PositiveIntegerField(null=True, blank=True)
    house_passed = models.PositiveSmallIntegerField(default=0)
    """The most house bots that it has stood above at any time."""
    told_at = models.DateTimeField(null=True, blank=True)
    """When its owner was last told of a rank."""

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [models.UniqueConstraint(fields=["ladder", "bot"], name="ladders_entry_once")]
        indexes = [
            models.Index(
                "ladder",
                Coalesce("paired_at", "joined_at"),
                condition=Q(left_at=None),
                name="ladders_entry_waiting",
            ),
            models.Index(fields=["ladder", "-id"], name="ladders_entry_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} in {self.ladder_id}"


class ResultKind(models.TextChoices):
    MATCH = "match", _("match")
    DUPLICATE = "duplicate", _("duplicate set")
    VOID = "void", _("void")


class Result(models.Model):
    """One line of the log: all that the fold needs to know. The database refuses to change one."""

    Kind = ResultKind

    # No index of the foreign keys alone: the unique constraints have them.
    season = models.ForeignKey(Season, models.PROTECT, related_name="results", db_index=False)
    sequence = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=9, choices=ResultKind.choices)
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, blank=True, related_name="results", db_index=False
    )
    duplicate_set = models.ForeignKey(
        DuplicateSet, models.PROTECT, null=True, blank=True, related_name="results", db_index=False
    )
    voids = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="voided_by", db_index=False
    )
    places = models.JSONField(_("places"), default=list)
    """By seat: {"bot", "place", "fixed"}; equal places are a draw, `fixed` is a rating, if there is one."""
    reason = models.TextField(_("reason"), blank=True)
    created_at = models.DateTimeField(_("recorded"), auto_now_add=True)

    class Meta:
        ordering = ["season_id", "sequence"]
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [
            models.UniqueConstraint(fields=["season", "sequence"], name="ladders_result_sequence_once"),
            models.UniqueConstraint(
                fields=["match"], condition=Q(match__isnull=False), name="ladders_result_of_match_once"
            ),
            models.UniqueConstraint(
                fields=["duplicate_set"],
                condition=Q(duplicate_set__isnull=False),
                name="ladders_result_of_set_once",
            ),
            models.UniqueConstraint(
                fields=["voids"], condition=Q(voids__isnull=False), name="ladders_result_void_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="match", match__isnull=False, duplicate_set=None, voids=None)
                | Q(kind="duplicate", match=None, duplicate_set__isnull=False, voids=None)
                | Q(kind="void", match=None, duplicate_set=None, voids__isnull=False),
                name="ladders_result_one_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"season {self.season_id}, result {self.sequence}"


class Standing(models.Model):
    """Where a bot stands in a season: the fold's value after the season's last result."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="standings")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="standings")
    rating = models.FloatField(_("rating"))
    games = models.PositiveIntegerField(_("games"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [models.UniqueConstraint(fields=["season", "bot"], name="ladders_standing_once")]
        indexes = [models.Index(fields=["season", "-rating", "id"], name="ladders_standing_order")]

    def __str__(self) -> str:
        return f"{self.bot_id}: {self.rating:.0f}"


class RatingCount(models.Model):
    """How many standings of a season have a rating in a span of points. Triggers of the database count them.

    Ranks are added up from these, so that one costs the same whether there are 200 bots or 20,000.
    """

    WIDTH = 2
    """Points per span; a power of two, so that dividing by it is exact."""

    pk = models.CompositePrimaryKey("season_id", "span")
    season = models.ForeignKey(Season, models.CASCADE, related_name="rating_counts", db_index=False)
    span = models.IntegerField()
    """Ratings from `span * WIDTH` up to the next span."""
    bots = models.IntegerField()

    class Meta:
        verbose_name = _("rating count")
        verbose_name_plural = _("rating counts")

    def __str__(self) -> str:
        return f"{self.bots} from {self.span * self.WIDTH}"


class RatingChange(models.Model):
    """What is known of one bot after one result: its history, and where a correction can begin.

    With every value of the fold in it, the latest row of a bot before some result is a checkpoint. It has no
    foreign keys in the database: a correction writes millions of rows, whose keys come from the log.
    """

    pk = models.CompositePrimaryKey("season_id", "bot_id", "sequence")
    season = models.ForeignKey(
        Season, models.CASCADE, related_name="changes", db_index=False, db_constraint=False
    )
    bot = models.ForeignKey(
        Bot, models.PROTECT, related_name="rating_changes", db_index=False, db_constraint=False
    )
    rating = models.FloatField(_("rating after"))
    sequence = models.PositiveIntegerField()
    """The number of the result in its season's log."""
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField(_("place"))

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        # All changes of a result have the same key, of which PostgreSQL stores only one.
        indexes = [models.Index(fields=["season", "sequence"], name="ladders_change_sequence")]

    def __str__(self) -> str:
        return f"{self.bot_id} after result {self.sequence}: {self.rating:.1f}"


class Strength(models.Model):
    """A bot's estimated strength in a season, from its log up to `Season.estimated_to`, in Elo points."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="strengths", db_index=False)
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="strengths")
    mean = models.FloatField(_("strength"))
    sigma = models.FloatField(_("deviation"))
    own = models.FloatField(_("own deviation"), default=350.0)
    """The deviation if the strengths of all others were known: what its games alone leave open."""
    results = models.PositiveIntegerField(_("results"))
    sure_above = models.BigIntegerField(null=True, blank=True)
    """The bot whose estimate comes next, where it is certain enough that this one is stronger."""

    class Meta:
        verbose_name = _("strength")
        verbose_name_plural = _("strengths")
        constraints = [models.UniqueConstraint(fields=["season", "bot"], name="ladders_strength_once")]

    def __str__(self) -> str:
        return f"{self.bot_id}: {self.mean:.0f} ± {self.sigma:.0f}"


class StrengthMoment(models.Model):
    """What was known of a bot's strength after some result: what pages showed then."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="strength_moments", db_index=False)
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="strength_moments")
    sequence = models.PositiveIntegerField()
    mean = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        verbose_name = _("earlier strength")
        verbose_name_plural = _("earlier strengths")
        constraints = [
            models.UniqueConstraint(fields=["season", "bot", "sequence"], name="ladders_strengthmoment_once")
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} after result {self.sequence}: {self.mean:.0f} ± {self.sigma:.0f}"
