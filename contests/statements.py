"""What may be said of the order of two bots, however often one looks.

A 95% interval is right for one look. Whoever looks after every result will sooner or later see it exclude
the truth, so a page must not say "is above" because of it. Here the evidence is an e-value instead: the
Bayes factor of "the first is stronger by an amount drawn from the prior" against "they are equal". While the
second is not weaker, it is expected not to grow, whatever is played next and whenever one stops; so it
ever reaches 1/a with probability a at most (Ville's inequality). All pairs of a season share one a.

The factor comes from the normal approximation of the posterior, so the bound holds where strengths and
results are as the model says; `make bench ONLY=statistics` measures it on such seasons.
"""

from math import log, sqrt
from typing import Final

from contests.strength import PRIOR, Strengths, chance_above

ERROR: Final = 0.05
"""The chance of a false statement in a whole season, over all pairs and all moments."""
PRIOR_SPREAD: Final = PRIOR * sqrt(2.0)


def log_evidence(difference: float, spread: float) -> float:
    """Return the logarithm of the e-value for "stronger", of a difference known with this deviation."""
    if spread == 0.0:
        return float("inf") if difference > 0.0 else float("-inf")
    deviations = difference / spread
    half = max(chance_above(difference, spread), 1e-300)
    return log(2.0 * half * min(spread / PRIOR_SPREAD, 1.0)) + deviations * deviations / 2.0 * (
        deviations > 0
    )


def enough(bots: int) -> float:
    """Return the logarithm of the evidence that a statement needs among this many bots."""
    return log(max(bots * (bots - 1) / 2, 1.0) / ERROR)


def sure_above(strengths: Strengths, one: int, other: int) -> bool:
    """Return whether pages may say that the first bot is stronger than the second."""
    difference = strengths.known(one).mean - strengths.known(other).mean
    return log_evidence(difference, strengths.spread(one, other)) >= enough(len(strengths.bots))
