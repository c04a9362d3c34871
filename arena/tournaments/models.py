"""Tournaments: what an organiser set up, who entered, and the games that were requested.

What was played is a fact: a round is paired once, by `contests.formats`, when it opens, and stored with
what was known then (`RoundOpening`). Voiding, rerunning or disqualifying later changes only what it names.
Standings follow from rounds, entries and games; they are stored (`TournamentEntry.place`) so that a large
event is not computed again for every reader.
"""

import secrets
from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Bot, Version
from arena.hosts.live_frames import live_delay_field
from arena.ladders.models import Ladder
from arena.matches.models import Match
from contests.formats import FORMATS
from contests.formats.points import WIN
from contests.formats.standings import TIE_BREAKS

FORMAT_NAMES = {
    "round_robin": _("Round robin"),
    "swiss": _("Swiss"),
    "single_elimination": _("Single elimination"),
    "double_elimination": _("Double elimination"),
    "groups": _("Groups, then knockout"),
    "gauntlet": _("Gauntlet"),
}


TIE_BREAK_NAMES = {
    "points": _("points"),
    "head_to_head": _("head to head"),
    "buchholz": _("Buchholz"),
    "sonneborn_berger": _("Sonneborn-Berger"),
    "placements": _("placements"),
    "rating": _("rating"),
    "seed": _("seed"),
}


class State(models.TextChoices):
    DRAFT = "draft", _("draft")
    REGISTRATION = "registration", _("open for entries")
    LOCKED = "locked", _("versions locked")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


OPEN_STATES = frozenset({State.DRAFT, State.REGISTRATION})
"""States in which the rules may still change; once versions are locked, they are final."""


class Release(models.TextChoices):
    """Who sees the results of a round."""

    HIDDEN = "hidden", _("nobody but the organiser")
    ENTRANTS = "entrants", _("the entrants")
    PUBLIC = "public", _("everybody")


UNRATED: Final = 1500.0
"""The rating of a bot that has none."""


def default_tie_breaks() -> list[str]:
    return list(TIE_BREAKS)


def new_master_seed() -> bytes:
    return secrets.token_bytes(32)


class Tournament(models.Model):
    """An event, from its draft to its podium."""

    State = State
    Release = Release

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=80)
    description = models.TextField(_("description"), max_length=4000, blank=True)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournaments", verbose_name=_("organiser")
    )
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.DRAFT)

    format = models.CharField(
        _("format"), max_length=20, choices=[(name, FORMAT_NAMES[name]) for name in FORMATS]
    )
    seats = models.PositiveSmallIntegerField(_("seats"), choices=[(2, "2"), (3, "3"), (4, "4")], default=4)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"),
        null=True,
        blank=True,
        help_text=_("For a Swiss or a shortened round robin. Leave empty to play as many as it takes."),
    )
    advance = models.PositiveSmallIntegerField(
        _("advance"), default=1, help_text=_("How many bots of a knockout pod go on to the next round.")
    )
    group_size = models.PositiveSmallIntegerField(_("group size"), default=4)
    from_group = models.PositiveSmallIntegerField(_("bots that advance from a group"), default=2)
    cycles = models.PositiveSmallIntegerField(_("cycles of a round robin"), default=1)
    best_of = models.PositiveSmallIntegerField(_("games in a series"), default=1)
    duplicate = models.BooleanField(
        _("duplicate sets"), default=False, help_text=_("Play each seed once in every rotation of the seats.")
    )
    tie_breaks = ArrayField(
        models.CharField(max_length=20), verbose_name=_("tie-breaks"), default=default_tie_breaks
    )
    ruleset = models.JSONField(_("ruleset"))
    clocks = models.JSONField(_("clocks"))

    ladder = models.ForeignKey(
        Ladder, models.PROTECT, null=True, blank=True, verbose_name=_("ratings from"),
        help_text=_("This ladder's ratings decide seeds and entry conditions."),
    )  # fmt: skip
    min_rating = models.FloatField(_("minimum rating"), null=True, blank=True)
    min_games = models.PositiveIntegerField(_("minimum number of rated games"), default=0)
    per_owner = models.PositiveSmallIntegerField(_("bots per author"), default=1)
    invitation_only = models.BooleanField(_("by invitation only"), default=False)

    lock_at = models.DateTimeField(_("entries close"), null=True, blank=True)
    round_minutes = models.PositiveIntegerField(
        _("minutes per round"), null=True, blank=True,
        help_text=_("Games that are not played by then are forfeited."),
    )  # fmt: skip
    rounds_by_hand = models.BooleanField(
        _("open rounds by hand"),
        default=False,
        help_text=_("Otherwise each round starts when the previous one is over."),
    )
    release = models.CharField(
        _("results are shown to"), max_length=8, choices=Release.choices, default=Release.PUBLIC
    )

    live_delay = live_delay_field()

    master_seed = models.BinaryField(max_length=32, default=new_master_seed, editable=False)
    """Secret until the end; its hash is shown as soon as versions are locked."""
    opened_rounds = models.PositiveSmallIntegerField(default=0, editable=False)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True, editable=False)
    cancelled_from = models.CharField(max_length=12, choices=State.choices, blank=True, editable=False)
    """The state to which a cancelled tournament returns when the cancellation is undone."""
    cancel_reason = models.CharField(_("why it was cancelled"), max_length=200, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            GinIndex(SearchVector("name", "slug", config="simple"), name="tournaments_search"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(seats__gte=2, seats__lte=4), name="tournaments_tournament_seats"
            ),
            models.CheckConstraint(
                condition=Q(best_of__gte=1, best_of__lte=21), name="tournaments_tournament_best_of"
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="tournaments_tournament_state"),
            models.UniqueConstraint(
                fields=["name"], condition=~Q(state=State.CANCELLED), name="tournaments_tournament_name_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def tie_break_names(self) -> list[str]:
        """The names of the tie-breaks, in order."""
        return [str(TIE_BREAK_NAMES[name]) for name in self.tie_breaks]

    @property
    def series_length(self) -> int:
        """The number of games in a pod: the series, times the rotations of a duplicate set."""
        return self.best_of * (self.seats if self.duplicate else 1)


class EntryState(models.TextChoices):
    INVITED = "invited", _("invited")
    ENTERED = "entered", _("entered")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DISQUALIFIED = "disqualified", _("disqualified")


class TournamentEntry(models.Model):
    """A bot in a tournament. Its version is frozen when versions lock; it is out from round `out_from` on."""

    State = EntryState

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="tournament_entries", verbose_name=_("bot"))
    version = models.ForeignKey(Version, models.PROTECT, null=True, blank=True, verbose_name=_("version"))
    state = models.CharField(
        _("state"), max_length=12, choices=EntryState.choices, default=EntryState.ENTERED
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    rating = models.FloatField(_("rating"), default=UNRATED)
    """The rating when versions were locked; until then see `selectors.read_ratings`."""
    out_from = models.PositiveSmallIntegerField(_("out from round"), null=True, blank=True)
    created_at = models.DateTimeField(_("entered"), auto_now_add=True)

    place = models.PositiveIntegerField(_("place"), null=True, editable=False)
    """Its place in the standings, which include pods already decided in the current round."""
    points = models.PositiveIntegerField(_("points"), db_default=0, editable=False)
    """In twelfths of a win."""
    pods = models.PositiveSmallIntegerField(_("pods"), db_default=0, editable=False)
    byes = models.PositiveSmallIntegerField(_("byes"), db_default=0, editable=False)
    breaks = ArrayField(models.FloatField(), verbose_name=_("tie-breaks"), null=True, editable=False)

    class Meta:
        ordering = ["seed", "id"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        indexes = [models.Index(fields=["tournament", "place"], name="tournaments_entry_place")]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="tournaments_entry_bot_once"),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                name="tournaments_entry_seed_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} in {self.tournament_id}"

    @property
    def wins(self) -> float:
        """The points in wins."""
        return self.points / WIN


class RoundOpening(models.Model):
    """A round that was opened: its deadline, who sees its results, who meets in it, and why."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="openings")
    number = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField(auto_now_add=True)
    deadline = models.DateTimeField(null=True, blank=True)
    release = models.CharField(max_length=8, choices=Release.choices)
    pairing = models.JSONField(default=dict)
    """Who meets: see `arena.tournaments.stored_rounds`."""
    known = models.JSONField(default=dict)
    """What it was paired from: who was out, and which games began or ceased to count since the last round."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournaments_round_once")
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament_id}"


class Game(models.Model):
    """One game of a pod: its match and, once that is over, the placements of the entrants."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="games")
    round = models.PositiveSmallIntegerField()
    pod = models.CharField(max_length=100)
    """The key of its pod, which `Pod.from_key` reads."""
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="tournament_game")
    placements = models.JSONField(null=True, blank=True)
    """By entry id, as text: {"12": 1, "15": 2}; null until it is over."""
    forfeit = models.BooleanField(default=False)
    voided_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["round", "pod", "number", "id"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "pod", "number"],
                condition=Q(voided_at=None),
                name="tournaments_game_once",
            )
        ]
        indexes = [models.Index(fields=["tournament", "round"], name="tournaments_game_round")]

    def __str__(self) -> str:
        return f"{self.pod} game {self.number}"
