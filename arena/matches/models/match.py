"""A match and its seats."""

import secrets

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Version
from engine.replay.views import distinct
from workers.match.faults import FaultKind

# No vowels and no look-alikes: addresses can be read aloud and spell no words.
ID_LETTERS = "23456789bcdfghjkmnpqrstvwxyz"


def new_public_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(10))


class DuplicateSet(models.Model):
    """Matches of the same bots and seed in every rotation of the seats, which count as one result."""

    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"duplicate set {self.pk}"


class MatchTerms(models.Model):
    """What many matches are played by: rules, clocks and board. A row is never changed."""

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of all the rest, so that the same terms are here once."""
    ruleset = models.JSONField(_("ruleset"))
    clocks = models.JSONField(_("clocks"))
    board_id = models.CharField(_("board"), max_length=100)
    board_hash = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("terms")
        verbose_name_plural = _("terms")

    def __str__(self) -> str:
        return f"{self.ruleset.get('name', '')}, {self.board_id}, {self.clocks}"


class Purpose(models.TextChoices):
    VALIDATION = "validation", _("validation")
    CHALLENGE = "challenge", _("challenge")
    LADDER = "ladder", _("ladder")
    TOURNAMENT = "tournament", _("tournament")
    PROMOTION = "promotion", _("promotion test")
    PLAY = "play", _("people at a table")


class MatchState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    VOIDED = "voided", _("voided")
    SET_ASIDE = "set_aside", _("set aside")


STILL_TO_PLAY = (MatchState.QUEUED, MatchState.RUNNING, MatchState.SET_ASIDE)
"""The only place that says when a match is over: in any other state."""


class Match(models.Model):
    """One game between bot versions: requested, played in one or more attempts, counted once."""

    Purpose = Purpose
    State = MatchState

    public_id = models.CharField(_("address"), max_length=16, default=new_public_id)
    purpose = models.CharField(_("purpose"), max_length=10, choices=Purpose.choices)
    purpose_id = models.BigIntegerField(null=True, blank=True)
    """The id of the version (validation), user (challenge), season, tournament, promotion test or table."""
    seats = models.PositiveSmallIntegerField(_("seats"))
    terms = models.ForeignKey(
        MatchTerms, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    own_ruleset = models.JSONField(_("ruleset"), null=True, blank=True, db_column="ruleset")
    """Only in matches from before there were terms, as are the next three."""
    own_board_id = models.CharField(_("board"), max_length=100, null=True, blank=True, db_column="board_id")  # noqa: DJ001
    own_board_hash = models.CharField(max_length=64, null=True, blank=True, db_column="board_hash")  # noqa: DJ001
    own_clocks = models.JSONField(_("clocks"), null=True, blank=True, db_column="clocks")
    seed = models.BinaryField(max_length=32)
    """Secret until the match is over; `seed_commitment` is its SHA-256, shown from the start."""
    seed_commitment = models.CharField(_("commitment to the seed"), max_length=64)
    state = models.CharField(_("state"), max_length=10, choices=MatchState.choices, default=MatchState.QUEUED)
    rated = models.BooleanField(_("rated"), default=False)
    duplicate_set = models.ForeignKey(
        DuplicateSet, models.PROTECT, null=True, blank=True, related_name="matches"
    )
    attempts_allowed = models.PositiveSmallIntegerField(default=5)
    """How many attempts may fail through no fault of a bot before staff must look; a rerun adds more."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(fields=["public_id"], name="matches_match_public_id_once"),
            models.CheckConstraint(
                condition=Q(state__in=MatchState.values), name="matches_match_state_known"
            ),
            models.CheckConstraint(condition=Q(seats__gte=2, seats__lte=4), name="matches_match_seats"),
            models.CheckConstraint(
                condition=Q(terms__isnull=False)
                | Q(
                    own_ruleset__isnull=False,
                    own_board_id__isnull=False,
                    own_board_hash__isnull=False,
                    own_clocks__isnull=False,
                ),
                name="matches_match_has_terms",
            ),
            models.CheckConstraint(
                condition=~Q(state="finished") | Q(finished_at__isnull=False), name="matches_match_end_known"
            ),
        ]
        indexes = [
            # Ids ascend in all of these: where new rows come last, PostgreSQL fills its pages to the brim.
            models.Index(fields=["purpose", "purpose_id", "id"], name="matches_match_contest"),
            models.Index(fields=["finished_at"], name="matches_match_finished"),
            # Only a few of the many matches are open at any time.
            models.Index(
                fields=["state", "purpose"],
                condition=Q(state__in=["queued", "running", "set_aside"]),
                name="matches_match_open",
            ),
            # For filtered lists: most matches are finished ladder matches, and lists of others skip those.
            models.Index(fields=["purpose", "id"], condition=~Q(purpose="ladder"), name="matches_match_kind"),
            models.Index(
                fields=["purpose", "seats", "-id"],
                condition=~Q(purpose="ladder"),
                name="matches_match_of_seats",
            ),
            models.Index(
                fields=["state", "-id"], condition=~Q(state="finished"), name="matches_match_not_finished"
            ),
            # For the question whether a match with this seed is still to be played.
            models.Index(
                fields=["seed_commitment"],
                condition=Q(state__in=["queued", "running", "set_aside"]),
                name="matches_match_open_seed",
            ),
        ]

    seated: list["MatchSeat"]
    """Who sat where, by seat, if `listing.with_results` has prefetched it."""
    is_held_back = False
    """Set by `visibility.conceal`: this reader may not see the result."""

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.public_id])

    @property
    def ruleset(self) -> dict[str, str]:
        ruleset: dict[str, str] = self.terms.ruleset if self.terms else self.own_ruleset or {}
        return ruleset

    @property
    def clocks(self) -> dict[str, int]:
        clocks: dict[str, int] = self.terms.clocks if self.terms else self.own_clocks or {}
        return clocks

    @property
    def board_id(self) -> str:
        return self.terms.board_id if self.terms else self.own_board_id or ""

    @property
    def board_hash(self) -> str:
        return self.terms.board_hash if self.terms else self.own_board_hash or ""

    @property
    def is_over(self) -> bool:
        return self.state not in STILL_TO_PLAY

    @property
    def by_placement(self) -> list["MatchSeat"]:
        """The seats in the order of a list of results: the winner first; by seat if not played yet."""
        names = [str(getattr(seat, "bot_name", "")) for seat in self.seated]  # `with_results` annotates it
        for seat, name in zip(self.seated, distinct(names), strict=True):
            seat.player = name
        return sorted(self.seated, key=lambda seat: (seat.placement or 0, seat.seat))


class SeatFault(models.TextChoices):
    """How a bot failed: the runner's kinds of fault, with labels."""

    NO_HELLO = FaultKind.NO_HELLO.value, _("did not say hello in time")
    VERSION = FaultKind.VERSION.value, _("speaks another version of the protocol")
    CRASH = FaultKind.CRASH.value, _("crashed")
    CLOSED = FaultKind.CLOSED.value, _("closed its connection")
    GARBAGE = FaultKind.GARBAGE.value, _("sent garbage")
    FLOOD = FaultKind.FLOOD.value, _("flooded the host")
    STRIKES = FaultKind.STRIKES.value, _("had three strikes")
    LEFT = FaultKind.LEFT.value, _("resigned or left")


class MatchSeat(models.Model):
    """Who sits where and, once the match is over, how it went."""

    Fault = SeatFault

    # The constraint below and the index of a bot's matches have the indexes of these two.
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats_taken", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    version = models.ForeignKey(
        Version, models.PROTECT, related_name="seats", verbose_name=_("version"), db_index=False
    )
    purpose = models.CharField(max_length=10, choices=Purpose.choices, blank=True, db_default="")
    """A copy of its match's, so that one index finds a bot's matches of a kind; empty in old rows."""
    person = models.CharField(_("person"), max_length=150, blank=True, default="", db_default="")
    """The name of the person who sat here; the version is then the one that plays if they leave."""
    placement = models.PositiveSmallIntegerField(_("placement"), null=True, blank=True)
    score = models.PositiveIntegerField(_("score"), null=True, blank=True)
    fault = models.CharField(_("fault"), max_length=10, choices=SeatFault.choices, blank=True)
    fault_step = models.PositiveIntegerField(null=True, blank=True)
    fault_reason = models.TextField(blank=True)
    strikes = models.PositiveSmallIntegerField(_("strikes"), default=0)
    time_used_ms = models.PositiveIntegerField(_("time used, in ms"), null=True, blank=True)
    player: str
    """The player's name wherever this match is shown, if `by_placement` or `named_seats` gave it one."""

    class Meta:
        ordering = ["match_id", "seat"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="matches_matchseat_once"),
        ]
        indexes = [
            models.Index(fields=["version", "purpose", "match"], name="matches_matchseat_played"),
            # For the operator's page: of many seats, few failed.
            models.Index(fields=["match"], condition=~Q(fault=""), name="matches_matchseat_failed"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} seat {self.seat}"
