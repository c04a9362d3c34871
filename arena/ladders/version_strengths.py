"""Whether a new version is stronger than an older one: the strength model with versions in place of bots."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from arena.bots.models import Version
from arena.ladders import strength_queries
from arena.ladders.models import VersionPair
from contests.statements import sure_above
from contests.strength import Strengths, estimate_tables

MOST_VERSIONS = 12
"""Of each bot, the newest with results in the season are compared, each with each."""


class Comparison(NamedTuple):
    """Two versions of a bot, the older one first: the columns of VersionPair but the season."""

    version_id: int
    newer_id: int
    mean: float
    sigma: float
    newer_mean: float
    newer_sigma: float
    spread: float
    sure: int


def compare_versions(season_id: int, upto: int) -> list[Comparison]:
    """Estimate all versions from the log up to a result, and compare those of the same bot."""
    if not strength_queries.has_versions(season_id):
        return []
    found = estimate_tables(strength_queries.read_version_log(season_id, upto))
    return [
        compare(found, older, newer)
        for versions in versions_by_bot(found.bots)
        for older, newer in combinations(versions[-MOST_VERSIONS:], 2)
    ]


def versions_by_bot(versions: Iterable[int]) -> list[Sequence[int]]:
    """Return the versions of each bot that has several, oldest first, in a fixed order."""
    by_bot: dict[int, list[int]] = {}
    rows = Version.objects.filter(pk__in=list(versions)).order_by("bot_id", "number")
    for version, bot in rows.values_list("pk", "bot_id"):
        by_bot.setdefault(bot, []).append(version)
    return [found for found in by_bot.values() if len(found) > 1]


def compare(found: Strengths, older: int, newer: int) -> Comparison:
    one, other = found.known(older), found.known(newer)
    sure = int(sure_above(found, newer, older)) - int(sure_above(found, older, newer))
    values = (one.mean, one.sigma, other.mean, other.sigma, found.spread(older, newer))
    mean, sigma, newer_mean, newer_sigma, spread = (round(value, 1) for value in values)
    return Comparison(older, newer, mean, sigma, newer_mean, newer_sigma, spread, sure)


def store(season_id: int, comparisons: Sequence[Comparison]) -> None:
    """Put comparisons in the place of what is stored."""
    VersionPair.objects.filter(season=season_id).delete()
    VersionPair.objects.bulk_create(
        [VersionPair(season_id=season_id, **one._asdict()) for one in comparisons], batch_size=2000
    )


def differences(season_id: int, upto: int) -> list[str]:
    """Compare again from the log and tell where what is stored differs."""
    rows = VersionPair.objects.filter(season=season_id).values_list(*Comparison._fields)
    stored, folded = {Comparison(*row) for row in rows}, set(compare_versions(season_id, upto))
    return [
        f"comparison of the versions {one.version_id} and {one.newer_id}" for one in sorted(stored ^ folded)
    ]
