"""OpenSkill's Plackett-Luce update for teams of one, to the last bit what `openskill` computes.

The library checks, copies and sorts objects for teams of any size, which took most of the time of a fold
over hundreds of thousands of results; `make bench ONLY=growth` prints what a fold costs. tests/contests
compares the two on random games. Operations keep the library's order, since floating-point sums depend on it.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

KAPPA: Final = 0.0001
"""The least share of its variance that an estimate keeps after one game."""

Estimate = tuple[float, float]
"""A mean and a deviation."""


def update(estimates: Sequence[Estimate], places: Sequence[int], beta: float, tau: float) -> list[Estimate]:
    """Return the estimates after one game, in the order given. Equal places are a draw."""
    order = sorted(range(len(places)), key=places.__getitem__)
    ranks = [places[index] for index in order]
    means = [estimates[index][0] for index in order]
    deviations = [sqrt(estimates[index][1] * estimates[index][1] + tau * tau) for index in order]
    variances = [deviation**2 for deviation in deviations]
    total = 0.0
    for variance in variances:
        total += variance + beta**2
    c = sqrt(total)
    strengths = [exp(mean / c) for mean in means]
    sums = [_sum_from(rank, ranks, strengths) for rank in ranks]
    drawn = [ranks.count(rank) for rank in ranks]
    after: list[Estimate] = [(0.0, 0.0)] * len(order)
    for place, index in enumerate(order):
        omega = delta = 0.0
        for other, rank in enumerate(ranks):
            if rank > ranks[place]:
                break
            share = strengths[place] / sums[other]
            delta += share * (1 - share) / drawn[other]
            if other == place:
                omega += (1 - share) / drawn[other]
            else:
                omega -= share / drawn[other]
        omega *= variances[place] / c
        delta *= variances[place] / c**2
        delta *= sqrt(variances[place]) / c
        after[index] = (means[place] + omega, deviations[place] * sqrt(max(1 - delta, KAPPA)))
    return after


def _sum_from(rank: int, ranks: Sequence[int], strengths: Sequence[float]) -> float:
    """Add up, in order, the strengths of all bots that placed at this rank or below."""
    total: float | None = None
    for other, strength in zip(ranks, strengths, strict=True):
        if other >= rank:
            total = strength if total is None else total + strength
    return total or 0.0
