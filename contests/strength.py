"""How strong bots are, and how sure that is: the Plackett-Luce posterior of a log, on the scale of Elo.

A result of n seats is a ranking: the first is drawn from all with chances as 10^(strength / 400), the second
from the rest, and so on. All pairs of a result follow from that one ranking, so they are not counted as if
they were independent. Bots that draw share all their orders in equal parts. Before its first result a bot's
strength is normal with mean 1500 and deviation `PRIOR`. Fixed points are known exactly and tie the scale
down; in a log without any, 1500 is by definition the mean of all its bots.

The estimate is the posterior's mode, found by Newton's method, and the covariance that of the normal
distribution with the same curvature there. Both are reproducible to the last bit on any machine: only
additions, multiplications and divisions in a fixed order, no BLAS, and an exponential function of our own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import erf, sqrt
from typing import Final

import numpy as np

from contests.covariance import covariance_of, solve, variances_of
from contests.posterior import UNIT, Curvature, Field
from contests.rating import INTERVAL, START
from contests.result_log import Floats, Line, Table, tables_of

PRIOR: Final = 350.0
"""Elo points: the deviation of strengths before the first result. About the spread of a ladder's bots."""
MOST_EXACT: Final = 400
"""Up to this many bots the whole covariance is computed; beyond that, each bot's variance from probes."""
LONGEST_STEP: Final = 1.0
CLOSE: Final = 1e-5
"""Stop after a step this short, in natural units: what remains is a thousandth of it."""
MOST_STEPS: Final = 200
"""Far more than are ever needed: each step is at most `LONGEST_STEP`, so the farthest bots need the most."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What is known about one bot's strength."""

    mean: float
    sigma: float
    results: int
    own: float
    """The deviation if the strengths of all others were known."""

    @property
    def low(self) -> float:
        """Return the low end of the 95% interval."""
        return self.mean - INTERVAL * self.sigma

    @property
    def high(self) -> float:
        """Return the high end of the 95% interval."""
        return self.mean + INTERVAL * self.sigma


UNKNOWN: Final = Strength(START, PRIOR, 0, PRIOR)


@dataclass(frozen=True)
class Strengths:
    """The posterior over all bots of a log."""

    bots: dict[int, Strength]
    nodes: dict[int, int]
    covariance: Floats | None
    """Between nodes, in Elo points squared; None where there are too many bots to compute it."""

    def known(self, bot: int) -> Strength:
        return self.bots.get(bot, UNKNOWN)

    def spread(self, one: int, other: int) -> float:
        """Return the deviation of the difference of two bots' strengths.

        Where the covariance is not known it is taken as 0: for bots that have met this errs on the wide side.
        """
        shared = 0.0
        if self.covariance is not None and one in self.nodes and other in self.nodes:
            shared = float(self.covariance[self.nodes[one], self.nodes[other]])
        first, second = self.known(one).sigma, self.known(other).sigma
        return sqrt(max(first * first + second * second - 2 * shared, 0.0))

    def chance_above(self, one: int, other: int) -> float:
        """Return the probability that the first is stronger, for one look and not for a season of looking."""
        return chance_above(self.known(one).mean - self.known(other).mean, self.spread(one, other))


def chance_above(difference: float, spread: float) -> float:
    """Return the probability that a normal difference is above 0."""
    if spread == 0.0:
        return 0.5 if difference == 0.0 else float(difference > 0.0)
    return 0.5 * (1.0 + erf(difference / spread / sqrt(2.0)))


def estimate(lines: Iterable[Line]) -> Strengths:
    """Estimate the strengths of all bots of a log; refuse a log with an impossible line."""
    return estimate_tables(tables_of(lines))


def estimate_tables(tables: Iterable[Table], prior: float = PRIOR, most_exact: int = MOST_EXACT) -> Strengths:
    """Estimate strengths from columns that were already checked: a million results in seconds."""
    field = Field(tables, prior)
    if not field.results:
        return Strengths({}, {}, None)
    means = find_mode(field)
    curvature = Curvature(field, means)
    covariance = covariance_of(curvature) * (UNIT * UNIT) if field.free <= most_exact else None
    variances = variances_of(curvature) * (UNIT * UNIT) if covariance is None else np.diagonal(covariance)
    found = {bot: Strength(rating, 0.0, field.results[bot], 0.0) for bot, rating in field.held}
    columns = means.tolist(), variances.tolist(), curvature.diagonal.tolist()
    for bot, mean, variance, precision in zip(field.bots, *columns, strict=True):
        own = UNIT / sqrt(precision)
        found[bot] = Strength(START + UNIT * mean, sqrt(variance), field.results[bot], own)
    return Strengths(found, {bot: node for node, bot in enumerate(field.bots)}, covariance)


def find_mode(field: Field) -> Floats:
    """Return the strengths of the greatest posterior density. Its logarithm is concave: there is one."""
    means: Floats = np.zeros(field.free)
    for _ in range(MOST_STEPS if field.free else 0):
        curvature = Curvature(field, means)
        step = solve(curvature, curvature.gradient, 1e-3)
        longest = float(np.abs(step).max())
        means = means + step * (LONGEST_STEP / max(longest, LONGEST_STEP))
        if longest < CLOSE:
            break
    return means
