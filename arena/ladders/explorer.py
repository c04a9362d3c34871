"""A bot's results, grouped and filtered: reads of the counts by version, however many matches were played."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import sqrt
from typing import Any

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from arena.bots.models import Bot
from arena.ladders import meeting_queries, meeting_sums
from arena.ladders.models import CardTally, Season, SeatTally
from contests.rating import INTERVAL
from engine.rulesets import ruleset_from_options

MOST_SEASONS = 40
"""The newest seasons that a bot has results in."""
MOST_OPPONENTS = 500
"""Those with the most games; the sums are over all."""


class Grouping(StrEnum):
    """What the rows of a table stand for."""

    OPPONENT = "opponent"
    SEAT = "seat"
    EDITION = "edition"
    SEATS = "seats"
    CARD = "card"
    AGE = "age"
    VERSION = "version"
    LADDER = "ladder"


class SortedBy(StrEnum):
    NAME = "name"
    GAMES = "games"
    SCORE = "score"
    FIRSTS = "firsts"


BY_CARD = {Grouping.CARD, Grouping.AGE}


@dataclass(frozen=True)
class Wanted:
    """Which results, grouped how; None and empty values mean all."""

    by: Grouping = Grouping.OPPONENT
    ladder: str = ""
    season: int | None = None
    version: int | None = None
    opponent: str = ""
    seat: int | None = None
    """Counted from 1, as people do."""
    sort: SortedBy = SortedBy.GAMES
    ascending: bool = False


@dataclass(frozen=True)
class ResultTally:
    """Games added up; the score is the share of opponents that the bot placed before, a draw counts half."""

    key: str
    name: str
    games: int = 0
    points: float = 0.0
    firsts: int | None = None
    read: int = 0
    """In how many games the luck is known."""
    adjusted_points: float = 0.0

    @property
    def score(self) -> float:
        return self.points / self.games if self.games else 0.5

    @property
    def adjusted(self) -> float | None:
        """The score without luck, over the games of which it is known."""
        return self.adjusted_points / self.read if self.read else None

    @property
    def ends(self) -> tuple[float, float]:
        """The 95% interval of the score (Wilson), for one look.

        With more than two seats it is on the wide side: a share of several opponents varies less.
        """
        square = INTERVAL * INTERVAL
        middle = (self.points + square / 2) / (self.games + square)
        share = self.score * (1 - self.score)
        half = INTERVAL * sqrt(self.games * share + square / 4) / (self.games + square)
        return max(middle - half, 0.0), min(middle + half, 1.0)

    @property
    def low(self) -> float:
        return self.ends[0]

    @property
    def high(self) -> float:
        return self.ends[1]

    def plus(self, other: "ResultTally") -> "ResultTally":
        firsts = None if other.firsts is None else (self.firsts or 0) + other.firsts
        return replace(
            self,
            games=self.games + other.games,
            points=self.points + other.points,
            firsts=firsts,
            read=self.read + other.read,
            adjusted_points=self.adjusted_points + other.adjusted_points,
        )


@dataclass(frozen=True)
class Explored:
    """The rows of a table, all of them together, and what there is to choose from."""

    rows: list[ResultTally]
    total: ResultTally
    seasons: list[Season]
    versions: list[int]
    note: str = ""
    seats: list[int] = field(default_factory=list)


def explore(bot: Bot, wanted: Wanted) -> Explored:
    """Return a bot's results as they are wanted."""
    note = ""
    if wanted.by in BY_CARD and wanted.opponent:
        note = _("Power cards are counted over all opponents, so the opponent was left out.")
        wanted = replace(wanted, opponent="")
    seasons = seasons_of(bot)
    chosen = {
        season.pk: season
        for season in seasons
        if wanted.ladder in ("", season.ladder.slug) and wanted.season in (None, season.number)
    }
    versions = {
        number: pk
        for pk, number in SeatTally.objects.filter(version__bot=bot)
        .values_list("version_id", "version__number")
        .distinct()
    }
    if wanted.by is Grouping.OPPONENT and not wanted.opponent:
        rows, total, note = by_opponent(wanted, chosen, versions)
    else:
        rows, total = grouped(tallies(bot, wanted, chosen, versions))
    most = max((season.ladder.seats for season in chosen.values()), default=4)
    return Explored(
        in_order(rows, wanted), total, seasons, sorted(versions, reverse=True), note, list(range(1, most + 1))
    )


def by_opponent(
    wanted: Wanted, seasons: Mapping[int, Season], versions: Mapping[int, int]
) -> tuple[list[ResultTally], ResultTally, str]:
    """Return the opponents with the most games, the sum over all of them, and a note if there are more."""
    seat = None if wanted.seat is None else wanted.seat - 1
    chosen = chosen_versions(wanted, versions)
    rows, total, count = meeting_sums.opponents_met(chosen, list(seasons), seat, MOST_OPPONENTS)
    called = names_of(other for other, _ in rows)
    note = ""
    if count > MOST_OPPONENTS:
        note = _("The bot has met %(count)d opponents. These are the %(most)d with the most games.") % {
            "count": count,
            "most": MOST_OPPONENTS,
        }
    tallied = [ResultTally(*called[other], met.games, met.points) for other, met in rows if other in called]
    return tallied, ResultTally("", _("All"), total.games, total.points), note


def names_of(bots: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return what names bots in an address, and what they are called."""
    rows = Bot.objects.filter(pk__in=list(bots)).values_list("pk", "slug", "name")
    return {pk: (slug, name) for pk, slug, name in rows}


def chosen_versions(wanted: Wanted, versions: Mapping[int, int]) -> list[int]:
    return [pk for number, pk in versions.items() if wanted.version in (None, number)]


def grouped(found: Iterable[ResultTally]) -> tuple[list[ResultTally], ResultTally]:
    """Add up what belongs together, and everything."""
    groups: dict[str, ResultTally] = {}
    for one in found:
        groups[one.key] = groups.get(one.key, ResultTally(one.key, one.name)).plus(one)
    total = ResultTally("", _("All"))
    for one in groups.values():
        total = total.plus(one)
    return [one for one in groups.values() if one.games], total


def in_order(found: Iterable[ResultTally], wanted: Wanted) -> list[ResultTally]:
    rows = sorted(found, key=lambda one: natural(one.name))
    if wanted.sort is not SortedBy.NAME:
        rows.sort(key=lambda one: getattr(one, wanted.sort) or 0, reverse=not wanted.ascending)
    elif not wanted.ascending:
        rows.reverse()
    return rows


def natural(name: str) -> tuple[bool, int, str]:
    """Numbers in their order, then names."""
    return not name.isdecimal(), int(name) if name.isdecimal() else 0, name.casefold()


def seasons_of(bot: Bot) -> list[Season]:
    """Return the newest seasons that a bot has results in."""
    played = Season.objects.filter(standings__bot=bot).select_related("ladder")
    return list(played.order_by("-starts_at", "-pk")[:MOST_SEASONS])


def tallies(
    bot: Bot, wanted: Wanted, seasons: Mapping[int, Season], versions: Mapping[int, int]
) -> Iterable[ResultTally]:
    """Return what is kept of a bot, one entry per season and group."""
    if wanted.opponent:
        return of_meetings(wanted, seasons, versions)
    where = Q(version__bot=bot, season__in=list(seasons))
    if wanted.version is not None:
        where &= Q(version__number=wanted.version)
    if wanted.seat is not None:
        where &= Q(seat=wanted.seat - 1)
    return of_seats(where, wanted.by, seasons)


FIELDS = {
    Grouping.SEAT: "seat", Grouping.CARD: "card", Grouping.AGE: "age", Grouping.VERSION: "version__number",
}  # fmt: skip


def of_meetings(
    wanted: Wanted, seasons: Mapping[int, Season], versions: Mapping[int, int]
) -> Iterable[ResultTally]:
    """Return what is kept of a bot's meetings with one opponent."""
    other = Bot.objects.filter(slug=wanted.opponent).first()
    if other is None:
        return
    numbers = {pk: number for number, pk in versions.items()}
    chosen = chosen_versions(wanted, versions)
    for season_id, version_id, seat, met in meeting_queries.met_with(chosen, list(seasons), other.pk):
        if wanted.seat in (None, seat + 1):
            if wanted.by is Grouping.OPPONENT:
                key, name = other.slug, other.name
            else:
                row = {"seat": seat, "version__number": numbers[version_id]}
                key, name = label(wanted.by, row, seasons[season_id])
            yield ResultTally(key, name, met.games, met.points)


def of_seats(where: Q, by: Grouping, seasons: Mapping[int, Season]) -> Iterable[ResultTally]:
    names = ["season_id", *([FIELDS[by]] if by in FIELDS else [])]
    sums = {"n": Sum("games"), "won": Sum("firsts"), "placed": Sum("places")}
    if by not in BY_CARD:
        sums |= {"known": Sum("read"), "known_placed": Sum("read_places"), "lucky": Sum("luck")}
    model: Any = CardTally if by in BY_CARD else SeatTally
    for row in model.objects.filter(where).values(*names).annotate(**sums).order_by():
        season = seasons[row["season_id"]]
        key, name = label(by, row, season)
        known = row.get("known", 0)
        adjusted = points(season, known, row.get("known_placed", 0)) - row.get("lucky", 0) / 1000
        yield ResultTally(
            key, name, row["n"], points(season, row["n"], row["placed"]), row["won"], known, adjusted
        )


def points(season: Season, games: int, places: int) -> float:
    """Return a sum of placements as points: 1 for each first place, 0 for each last."""
    return float(season.ladder.seats * games - places) / (season.ladder.seats - 1)


def label(by: Grouping, row: Mapping[str, Any], season: Season) -> tuple[str, str]:
    """Return what names a group in an address, and what it is called."""
    if by is Grouping.SEAT:
        return str(row["seat"] + 1), str(row["seat"] + 1)
    if by is Grouping.EDITION:
        edition = ruleset_from_options(season.ladder.ruleset).name
        return edition, edition.capitalize()
    if by is Grouping.LADDER:
        return season.ladder.slug, season.ladder.name
    value = str(season.ladder.seats if by is Grouping.SEATS else row[FIELDS[by]])
    return value, value
