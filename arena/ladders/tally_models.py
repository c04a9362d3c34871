"""Counts that are kept of a season's results by version: reading them costs the same however many there are.

`arena.ladders.tallying` adds each line of the log to them in the background. Each match is a game: those of a
duplicate set count one by one here, although the set is one result for the ratings. Counts are signed: a
voided result is added with negative ones.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Version


class MeetingBlock(models.Model):
    """How a version did against the bots of one block of ids, from each seat: four arrays of equal length.

    With a row for each opponent and seat, most of the space would go to headers and keys (decision 0038).
    """

    WIDTH = 512
    """Bots per block, which therefore has at most 2,048 entries: 28 KB before PostgreSQL compresses them."""
    SEATS = 4

    pk = models.CompositePrimaryKey("version_id", "season_id", "block")
    season = models.ForeignKey("ladders.Season", models.CASCADE, related_name="meetings", db_index=False)
    version = models.ForeignKey(Version, models.PROTECT, related_name="+", db_index=False)
    block = models.IntegerField()
    """The other bots' ids, divided by WIDTH."""
    keys = ArrayField(models.SmallIntegerField())
    """Which bot of the block, from which seat: `other_id % WIDTH * SEATS + seat`; ascending."""
    games = ArrayField(models.IntegerField())
    better = ArrayField(models.IntegerField())
    """In how many of them it came before the other bot."""
    worse = ArrayField(models.IntegerField())

    class Meta:
        verbose_name = _("block of meetings")
        verbose_name_plural = _("blocks of meetings")

    def __str__(self) -> str:
        return f"version {self.version_id} against block {self.block}: {len(self.keys)} counts"


class SeatTally(models.Model):
    """How a version did in one seat, and how much of that was luck."""

    pk = models.CompositePrimaryKey("version_id", "season_id", "seat")
    season = models.ForeignKey("ladders.Season", models.CASCADE, related_name="seat_tallies", db_index=False)
    version = models.ForeignKey(Version, models.PROTECT, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    games = models.IntegerField(_("games"))
    firsts = models.IntegerField(_("first places"))
    places = models.IntegerField()
    """The sum of its placements."""
    read = models.IntegerField(default=0)
    """Of how many of these games the luck is known, ..."""
    read_places = models.IntegerField(default=0)
    """... the sum of its placements in them, ..."""
    luck = models.BigIntegerField(default=0)
    """... and the sum of its luck, in thousandths of a game."""

    class Meta:
        verbose_name = _("tally by seat")
        verbose_name_plural = _("tallies by seat")

    def __str__(self) -> str:
        return f"version {self.version_id} in seat {self.seat}: {self.games} games"


class CardTally(models.Model):
    """How a version did in the games in which it chose a power card in an age."""

    pk = models.CompositePrimaryKey("version_id", "season_id", "seat", "age", "card")
    season = models.ForeignKey("ladders.Season", models.CASCADE, related_name="card_tallies", db_index=False)
    version = models.ForeignKey(Version, models.PROTECT, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    age = models.PositiveSmallIntegerField(_("age"))
    card = models.PositiveSmallIntegerField(_("power card"))
    games = models.IntegerField(_("games"))
    firsts = models.IntegerField(_("first places"))
    places = models.IntegerField()

    class Meta:
        verbose_name = _("tally by power card")
        verbose_name_plural = _("tallies by power card")

    def __str__(self) -> str:
        return f"version {self.version_id} with power card {self.card} in age {self.age}: {self.games} games"


class VersionPair(models.Model):
    """Two versions of a bot that both have results in a season, the older one first, in Elo points."""

    pk = models.CompositePrimaryKey("version_id", "season_id", "newer_id")
    season = models.ForeignKey("ladders.Season", models.CASCADE, related_name="version_pairs", db_index=False)
    version = models.ForeignKey(Version, models.PROTECT, related_name="+", db_index=False)
    newer = models.ForeignKey(Version, models.PROTECT, related_name="+", db_index=False)
    mean = models.FloatField(_("strength"))
    sigma = models.FloatField(_("deviation"))
    newer_mean = models.FloatField(_("strength of the newer"))
    newer_sigma = models.FloatField(_("deviation of the newer"))
    spread = models.FloatField(_("deviation of the difference"))
    sure = models.SmallIntegerField()
    """1 where it may be said that the newer is stronger, -1 that the older is, 0 neither."""

    class Meta:
        verbose_name = _("comparison of versions")
        verbose_name_plural = _("comparisons of versions")

    def __str__(self) -> str:
        return f"versions {self.version_id} and {self.newer_id}: {self.newer_mean - self.mean:+.0f}"
