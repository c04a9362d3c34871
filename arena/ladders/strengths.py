"""How strong a season's bots are, estimated from its log on the queue `heavy`, apart from settling."""

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from time import monotonic
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from arena.ladders import strength_queries, version_strengths
from arena.ladders.models import Season, Strength, StrengthMoment
from contests.rating import INTERVAL
from contests.result_log import ResultLogError
from contests.statements import sure_above
from contests.strength import UNKNOWN, estimate_tables

log = logging.getLogger(__name__)

REST = 20
"""An estimate is made again after so many times the time it took: it never uses more than 5% of a core."""


class Estimate(NamedTuple):
    """What is stored of one bot, rounded to what is told."""

    mean: float
    sigma: float
    own: float
    results: int
    sure_above: int | None


class Shown(NamedTuple):
    """A strength with the ends of its 95% interval."""

    mean: float
    low: float
    high: float


def estimate_due() -> int:
    """Estimate the seasons that have new results and had enough rest; return how many."""
    behind = Season.objects.filter(last_sequence__gt=F("estimated_to")).order_by("estimated_at", "pk")
    now = timezone.now()
    due = [
        season.pk
        for season in behind
        if season.estimated_at is None
        or now - season.estimated_at >= timedelta(seconds=REST * season.estimated_in)
    ]
    return sum(estimate_or_log(season_id) for season_id in due)


def estimate_or_log(season_id: int) -> bool:
    """Estimate a season; one whose log cannot be is left as it is, and the others go on."""
    try:
        return estimate_season(season_id)
    except ResultLogError:
        log.exception("season %d is not estimated: its log has a line that cannot be", season_id)
        return False


def estimate_season(season_id: int) -> bool:
    """Estimate from the whole log and store it, unless somebody has stored a later estimate meanwhile."""
    began = monotonic()
    upto = Season.objects.values_list("last_sequence", flat=True).get(pk=season_id)
    estimates = fold_strengths(season_id, upto)
    comparisons = version_strengths.compare_versions(season_id, upto)
    with transaction.atomic():
        stored = Season.objects.filter(pk=season_id, estimated_to__lte=upto).update(
            estimated_to=upto, estimated_at=timezone.now(), estimated_in=monotonic() - began
        )
        if stored:
            store(season_id, upto, estimates)
            version_strengths.store(season_id, comparisons)
    return bool(stored)


def fold_strengths(season_id: int, upto: int) -> dict[int, Estimate]:
    """Estimate all bots from the log up to a result: a pure function of those lines."""
    found = estimate_tables(strength_queries.read_log(season_id, upto))
    order = sorted(found.bots, key=lambda bot: (-found.bots[bot].mean, bot))
    sure = {one: other for one, other in pairwise(order) if sure_above(found, one, other)}
    return {
        bot: Estimate(round(one.mean, 1), round(one.sigma, 1), round(one.own, 1), one.results, sure.get(bot))
        for bot, one in found.bots.items()
    }


def store(season_id: int, upto: int, estimates: Mapping[int, Estimate]) -> None:
    """Put estimates in the place of what is stored, and keep those that new results made for the charts."""
    known = stored_strengths(season_id)
    changed = {bot: one for bot, one in estimates.items() if known.get(bot) != one}
    Strength.objects.filter(season=season_id).exclude(bot__in=list(estimates)).delete()
    Strength.objects.bulk_create(
        [Strength(season_id=season_id, bot_id=bot, **one._asdict()) for bot, one in changed.items()],
        batch_size=2000,
        update_conflicts=True,
        unique_fields=["season", "bot"],
        update_fields=Estimate._fields,
    )
    played = {
        bot: one for bot, one in changed.items() if bot not in known or known[bot].results != one.results
    }
    StrengthMoment.objects.bulk_create(
        [
            StrengthMoment(season_id=season_id, bot_id=bot, sequence=upto, mean=one.mean, sigma=one.sigma)
            for bot, one in played.items()
        ],
        batch_size=2000,
        ignore_conflicts=True,
    )


def stored_strengths(season_id: int) -> dict[int, Estimate]:
    rows = Strength.objects.filter(season=season_id).values_list("bot_id", *Estimate._fields)
    return {bot: Estimate(*values) for bot, *values in rows}


def differences(season_id: int) -> list[str]:
    """Estimate again from the log and tell where what is stored differs."""
    upto = Season.objects.values_list("estimated_to", flat=True).get(pk=season_id)
    try:
        stored, folded = stored_strengths(season_id), fold_strengths(season_id, upto)
        of_versions = version_strengths.differences(season_id, upto)
    except ResultLogError as error:
        return [f"no strengths, {error}"]
    return [
        f"strength of bot {bot}: stored {stored.get(bot)}, folded {folded.get(bot)}"
        for bot in sorted(stored.keys() | folded.keys())
        if stored.get(bot) != folded.get(bot)
    ] + of_versions


def shown_strengths(season_id: int, bots: Sequence[int]) -> dict[int, tuple[Shown, int | None]]:
    """Return the strength of each of these bots, and above which bot it surely is."""
    rows = Strength.objects.filter(season=season_id, bot__in=bots)
    found = {row.bot_id: (shown(row.mean, row.sigma), row.sure_above) for row in rows}
    return {bot: found.get(bot, (NOTHING_KNOWN, None)) for bot in bots}


def shown(mean: float, sigma: float) -> Shown:
    return Shown(round(mean, 1), round(mean - INTERVAL * sigma, 1), round(mean + INTERVAL * sigma, 1))


NOTHING_KNOWN = shown(UNKNOWN.mean, UNKNOWN.sigma)
"""Before the first estimate there is only the prior."""


def shown_moments(season_id: int, bot_id: int, sequences: Sequence[int]) -> dict[int, Shown]:
    """Return for each of these results what was known of a bot's strength once it was counted."""
    rows = strength_queries.moments_at(season_id, bot_id, sequences)
    found = {sequence: shown(mean, sigma) for sequence, mean, sigma in rows}
    return {sequence: found.get(sequence, NOTHING_KNOWN) for sequence in sequences}
