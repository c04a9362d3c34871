"""Is one bot better than another? A test that may be watched after every duplicate set and stopped any time.

The result of a set is the share of pairs (a seat of the new bot, a seat of the old one) in which the new one
placed first. With two seats that is one of five values: the pentanomial of chess engines. Sets are
independent of each other; the games of a set are not, and are never counted alone.

Two gamblers bet on each set before it is played. One bets against "the new bot gains `elo0` at most", the
other against "it gains `elo1` at least". Whoever starts with 1 and plays a game that is fair or worse ever
reaches 1/alpha with probability alpha at most, however long they play (Ville's inequality). So their money
is the evidence (an e-value), and the error rates hold for every distribution of results, at every moment,
with no approximation. The interval comes from such gamblers too: it holds every difference against which
they have not won enough. Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting"
(2023), have the proofs.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

PRIOR_SETS: Final = 4
"""The variance of results is assumed at first; the assumption counts as this many sets with ..."""
PRIOR_VARIANCE: Final = 0.10
BOLDEST: Final = 0.8
"""The share of its money that a gambler stakes at most."""
CAUTION: Final = 1.5
"""A gambler bets on more than the planned difference once the mean is this many standard errors beyond it."""
STAKES: Final = (0.9, *(2.0**-k for k in range(1, 9)))
"""The gamblers behind the interval: each always stakes this share of its money."""
ROUNDING: Final = 1e-9
"""So much more than what is missing, so that the last bet is not lost to rounding."""
LARGEST_ELO: Final = 1000
NARROWEST: Final = 1e-9
"""How exactly the ends of the interval are found, as a share."""


class Conclusion(StrEnum):
    """What the test says so far."""

    OPEN = "open"
    BETTER = "better"
    NOT_BETTER = "not better"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tested: does the new bot gain more than `elo0`? If so, a gain of `elo1` should be found.

    `alpha` bounds the chance of a wrong "better" (the gain is `elo0` at most), `beta` that of a wrong
    "not better" (the gain is `elo1` at least). Between the two either answer is right.
    """

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO:
            raise ValueError(f"elo0 must be less than elo1, and both from -{LARGEST_ELO} to {LARGEST_ELO}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1):
            raise ValueError("alpha and beta must lie between 0 and 1")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What some sets say. Built from nothing by `weigh`, or set by set by `add`."""

    counts: Mapping[float, int] = field(default_factory=dict)
    """How often each result of a set came up."""
    log_better: float = 0.0
    """The natural logarithm of the e-value against "elo0 at most"."""
    log_not_better: float = 0.0
    """The natural logarithm of the e-value against "elo1 at least"."""
    conclusion: Conclusion = Conclusion.OPEN
    """Once reached it stays: later sets only sharpen the estimate."""

    @property
    def sets(self) -> int:
        """Return how many sets were counted."""
        return sum(self.counts.values())

    @property
    def score(self) -> float:
        """Return the mean result, from 0 to 1."""
        return _mean(self.counts, prior=0) if self.counts else 0.5

    @property
    def elo(self) -> float:
        """Return the Elo difference of the mean result; infinite where one side always placed first."""
        return elo_of(self.score)

    def interval(self, alpha: float = 0.05) -> tuple[float, float]:
        """Return the ends of the confidence sequence for the Elo difference: see `interval`."""
        return interval(self.counts, alpha)


def weigh(results: Iterable[float], plan: Plan) -> Evidence:
    """Weigh the results of sets in the order in which they were planned, not in which they ended."""
    evidence = Evidence()
    for result in results:
        evidence = add(evidence, result, plan)
    return evidence


def add(evidence: Evidence, result: float, plan: Plan) -> Evidence:
    """Add the result of one more set."""
    if not 0 <= result <= 1:
        raise ValueError(f"the result of a set is a share from 0 to 1, not {result}")
    up, down = _bets(evidence.counts, plan)
    low, high = share_of(plan.elo0), share_of(plan.elo1)
    up = min(up, _enough(-math.log(plan.alpha) - evidence.log_better) / (1 - low))
    down = min(down, _enough(-math.log(plan.beta) - evidence.log_not_better) / high)
    log_better = evidence.log_better + math.log1p(up * (result - low))
    log_not_better = evidence.log_not_better + math.log1p(down * (high - result))
    conclusion = evidence.conclusion
    if conclusion is Conclusion.OPEN:
        if log_better >= -math.log(plan.alpha):
            conclusion = Conclusion.BETTER
        elif log_not_better >= -math.log(plan.beta):
            conclusion = Conclusion.NOT_BETTER
    counts = {**evidence.counts, result: evidence.counts.get(result, 0) + 1}
    return Evidence(counts, log_better, log_not_better, conclusion)


def _enough(missing: float) -> float:
    """Return the gain, as a share of its money, with which a gambler has won; whoever has won bets on.

    More than that would risk money for nothing: without this limit a test takes 3% more sets.
    """
    return math.expm1(missing + ROUNDING) if missing > 0 else math.inf


def _bets(counts: Mapping[float, int], plan: Plan) -> tuple[float, float]:
    """Return what the two gamblers stake on the next set, per unit of difference, before it is played."""
    low, high = share_of(plan.elo0), share_of(plan.elo1)
    mean, sets = _mean(counts), sum(counts.values()) + PRIOR_SETS
    squares = sum(count * result * result for result, count in counts.items())
    squares += PRIOR_SETS * (0.25 + PRIOR_VARIANCE)
    variance = max(squares / sets - mean * mean, 0.01)
    doubt = CAUTION * math.sqrt(variance / sets)
    above = max(high - low, mean - low - doubt)
    below = max(high - low, high - mean - doubt)
    return (
        min(above / (variance + above * above), BOLDEST / low),
        min(below / (variance + below * below), BOLDEST / (1 - high)),
    )


def _mean(counts: Mapping[float, int], prior: int = PRIOR_SETS) -> float:
    total = sum(result * count for result, count in counts.items())
    return (total + prior * 0.5) / (sum(counts.values()) + prior)


def interval(counts: Mapping[float, int], alpha: float = 0.05) -> tuple[float, float]:
    """Return the ends of an interval for the Elo difference that may be looked at after every set.

    With probability 1 - alpha it holds the truth at all times at once. An end is infinite where the results
    allow every difference on that side.
    """
    up, down = list(counts.items()), _mirrored(counts)
    return elo_of(_lowest_share(up, alpha / 2)), -elo_of(_lowest_share(down, alpha / 2))


def covers(counts: Mapping[float, int], elo: float, alpha: float = 0.05) -> bool:
    """Return whether the interval contains this Elo difference; cheaper than finding its ends."""
    share, enough = share_of(elo), -math.log(alpha / 2)
    up, down = list(counts.items()), _mirrored(counts)
    return _log_wealth(up, share) < enough and _log_wealth(down, 1 - share) < enough


def _mirrored(counts: Mapping[float, int]) -> list[tuple[float, int]]:
    return [(1 - result, count) for result, count in counts.items()]


def _lowest_share(results: Sequence[tuple[float, int]], alpha: float) -> float:
    """Return the lowest mean against which the gamblers have not won enough; they win less against more."""
    low, high, enough = 0.0, 1.0, -math.log(alpha)
    while high - low > NARROWEST:
        middle = (low + high) / 2
        if _log_wealth(results, middle) < enough:
            high = middle
        else:
            low = middle
    return low


def _log_wealth(results: Sequence[tuple[float, int]], mean: float) -> float:
    """Return the logarithm of what the gamblers hold together who bet that the mean is higher than this."""
    logs = [
        sum(count * math.log1p(stake * (result / mean - 1)) for result, count in results) for stake in STAKES
    ]
    most = max(logs)
    return most + math.log(sum(math.exp(one - most) for one in logs) / len(logs))


def sets_left(evidence: Evidence, plan: Plan) -> int | None:
    """Estimate how many more sets are needed if results stay as they are; None if unknown."""
    if evidence.conclusion is not Conclusion.OPEN:
        return 0
    if not evidence.sets:
        return None
    up, down = _bets(evidence.counts, plan)
    low, high = share_of(plan.elo0), share_of(plan.elo1)
    shares = [(result, count / evidence.sets) for result, count in evidence.counts.items()]
    gain_up = sum(share * math.log1p(up * (result - low)) for result, share in shares)
    gain_down = sum(share * math.log1p(down * (high - result)) for result, share in shares)
    missing = (
        (-math.log(plan.alpha) - evidence.log_better, gain_up),
        (-math.log(plan.beta) - evidence.log_not_better, gain_down),
    )
    waits = [math.ceil(wanted / gain) for wanted, gain in missing if gain > 0]
    return min(waits, default=None)


def set_result(games: Sequence[tuple[Sequence[bool], Sequence[int]]]) -> float:
    """Return the result of a set: for each game, which seats are the new bot's, and the placements.

    A pair that shares a place counts half.
    """
    won = pairs = 0
    for is_new, places in games:
        new = [place for place, mine in zip(places, is_new, strict=True) if mine]
        old = [place for place, mine in zip(places, is_new, strict=True) if not mine]
        won += sum(2 * (one < other) + (one == other) for one in new for other in old)
        pairs += len(new) * len(old)
    if not pairs:
        raise ValueError("a set needs a game in which both bots sit")
    return won / (2 * pairs)


def seatings(seats: int) -> list[tuple[bool, ...]]:
    """Return who sits where in each game of a set: every way to share the seats as evenly as they can be.

    Each bot then sits in every seat equally often, against equally many of the other.
    """
    tables = [tuple(bool(table >> seat & 1) for seat in range(seats)) for table in range(2**seats)]
    return [table for table in tables if abs(2 * sum(table) - seats) <= seats % 2]


def share_of(elo: float) -> float:
    """Return the share of pairs that Elo expects at this difference."""
    return 1 / (1 + math.pow(10, -elo / 400))


def elo_of(share: float) -> float:
    """Return the Elo difference at which this share is expected; certainty is infinite."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))
