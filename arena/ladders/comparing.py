"""Two versions of a bot side by side: on each ladder, against each opponent, and against each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from django.db.models import Sum
from django.utils.translation import gettext as _

from arena.accounts.permissions import Person
from arena.bots.models import Bot, Version
from arena.ladders import meeting_sums
from arena.ladders.explorer import ResultTally, names_of, points, seasons_of
from arena.ladders.models import Season, SeatTally, VersionPair
from arena.matches.models import Match, MatchSeat
from arena.matches.visibility import held_back
from contests.rating import INTERVAL
from contests.sequential import elo_of, interval, set_result

MOST_OPPONENTS = 100
MOST_DIRECT = 1000
"""Matches outside of ladders, the newest, in which two versions may have met."""


@dataclass(frozen=True)
class Difference:
    """How much stronger the newer version is, in Elo points."""

    mean: float | None
    """None where the results allow any difference on that side, as for the ends."""
    low: float | None
    high: float | None
    verdict: int
    """1: it may be said that the newer is better; -1: that the older is; 0: neither."""


@dataclass(frozen=True)
class OnLadder:
    """What both versions did in one season."""

    season: Season
    older: ResultTally
    newer: ResultTally
    difference: Difference | None


@dataclass(frozen=True)
class AgainstOpponent:
    """How both versions did against one opponent."""

    slug: str
    name: str
    older: ResultTally
    newer: ResultTally


@dataclass(frozen=True)
class Direct:
    """Games in which both sat at one table; a duplicate set is one result."""

    results: int
    score: float
    """The newer version's."""
    difference: Difference


@dataclass(frozen=True)
class VersionsCompared:
    """All that is known of two versions of a bot."""

    older: Version
    newer: Version
    ladders: list[OnLadder] = field(default_factory=list)
    opponents: list[AgainstOpponent] = field(default_factory=list)
    direct: Direct | None = None


class VersionChoiceError(Exception):
    """There are no two versions to compare; the message says why, and what to do."""


def choose_versions(bot: Bot, numbers: list[int | None]) -> tuple[Version, Version]:
    """Return two versions by their numbers, the older one first; by default the newest that have results."""
    if None in numbers:
        counted = Version.objects.filter(bot=bot, pk__in=SeatTally.objects.values("version"))
        known = list(counted.order_by("-number")[:3])
        known += list(bot.versions.exclude(pk__in=[one.pk for one in known]).order_by("-number")[:3])
        free = [one.number for one in known if one.number not in numbers]
        numbers = [free.pop(0) if number is None and free else number for number in numbers]
    found = {one.number: one for one in bot.versions.filter(number__in=[n for n in numbers if n is not None])}
    if None in numbers or len(bot.versions.all()[:2]) < 2:
        raise VersionChoiceError(_("This bot has only one version so far: there is nothing to compare yet."))
    for number in numbers:
        if number not in found:
            raise VersionChoiceError(_("This bot has no version %d. Choose another.") % (number or 0))
    if len(found) < 2:
        raise VersionChoiceError(_("Choose two different versions."))
    older, newer = (found[number] for number in sorted(found))
    return older, newer


def compare_versions_of(bot: Bot, older: Version, newer: Version, person: Person) -> VersionsCompared:
    seasons = {season.pk: season for season in seasons_of(bot)}
    return VersionsCompared(
        older,
        newer,
        on_ladders(older, newer, seasons),
        against_opponents(older, newer, seasons),
        direct_games(older, newer, person),
    )


def on_ladders(older: Version, newer: Version, seasons: Mapping[int, Season]) -> list[OnLadder]:
    """Return the seasons in which either has played."""
    tallies: dict[tuple[int, int], ResultTally] = {}
    rows = SeatTally.objects.filter(version__in=[older, newer], season__in=list(seasons))
    for row in rows.values("season_id", "version_id").annotate(
        n=Sum("games"), won=Sum("firsts"), placed=Sum("places")
    ):
        season = seasons[row["season_id"]]
        key = (row["season_id"], row["version_id"])
        tallies[key] = ResultTally("", "", row["n"], points(season, row["n"], row["placed"]), row["won"])
    pairs = VersionPair.objects.filter(version=older, newer=newer, season__in=list(seasons))
    differences = {pair.season_id: difference_of(pair) for pair in pairs}
    return [
        OnLadder(
            season,
            tallies.get((pk, older.pk), ResultTally("", "")),
            tallies.get((pk, newer.pk), ResultTally("", "")),
            differences.get(pk),
        )
        for pk, season in seasons.items()
        if (pk, older.pk) in tallies or (pk, newer.pk) in tallies
    ]


def difference_of(pair: VersionPair) -> Difference:
    mean, half = pair.newer_mean - pair.mean, INTERVAL * pair.spread
    return Difference(round(mean, 1), round(mean - half, 1), round(mean + half, 1), pair.sure)


def against_opponents(older: Version, newer: Version, seasons: Mapping[int, Season]) -> list[AgainstOpponent]:
    """Return the opponents that both have met, those with the most games of the lesser side first."""
    found = meeting_sums.met_by_both(older.pk, newer.pk, list(seasons), MOST_OPPONENTS)
    called = names_of(one.other_id for one in found)
    rows = [
        AgainstOpponent(
            *called[one.other_id],
            ResultTally("", "", one.older.games, one.older.points),
            ResultTally("", "", one.newer.games, one.newer.points),
        )
        for one in found
        if one.other_id in called
    ]
    return sorted(rows, key=lambda one: (-min(one.older.games, one.newer.games), one.name.casefold()))


def direct_games(older: Version, newer: Version, person: Person) -> Direct | None:
    """Return how the two did against each other outside of ladders, where versions of one bot never meet."""
    elsewhere = MatchSeat.objects.filter(version=older).exclude(
        purpose__in=[Match.Purpose.LADDER, Match.Purpose.VALIDATION, Match.Purpose.TOURNAMENT]
    )
    recent = list(elsewhere.order_by("-match_id").values_list("match_id", flat=True)[:MOST_DIRECT])
    met = Match.objects.filter(pk__in=recent, seats_taken__version=newer).distinct()
    matches = {match.pk: match for match in met if match.state != Match.State.VOIDED}
    hidden = held_back(matches.values(), person)
    sets: dict[object, list[int]] = {}
    for pk, match in matches.items():
        sets.setdefault(("set", match.duplicate_set_id) if match.duplicate_set_id else pk, []).append(pk)
    counts: dict[float, int] = {}
    for group in sets.values():
        if all(matches[pk].state == Match.State.FINISHED and pk not in hidden for pk in group):
            result = set_result([seats_of(pk, older, newer) for pk in group])
            counts[result] = counts.get(result, 0) + 1
    if not counts:
        return None
    low, high = interval(counts)
    results = sum(counts.values())
    score = sum(result * count for result, count in counts.items()) / results
    verdict = int(low > 0) - int(high < 0)
    return Direct(results, score, Difference(told(elo_of(score)), told(low), told(high), verdict))


def told(elo: float) -> float | None:
    return round(elo, 1) if isfinite(elo) else None


def seats_of(match_id: int, older: Version, newer: Version) -> tuple[list[bool], list[int]]:
    rows = MatchSeat.objects.filter(match=match_id, version__in=[older, newer]).order_by("seat")
    taken = list(rows.values_list("version_id", "placement"))
    return [version == newer.pk for version, _ in taken], [placement or 0 for _, placement in taken]
