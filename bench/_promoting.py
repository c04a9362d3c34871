"""Promotion by evidence, on versions whose gain is known: wrong decisions, and sets until it is decided.

Every figure is beside tests of fixed size that make the same decisions with the same error rates: one for
each candidate, whatever its gain.
"""

from dataclasses import dataclass
from random import Random
from statistics import NormalDist, fmean, pvariance

from contests.promotion import Contender, next_candidate, promise
from contests.sequential import Conclusion, Evidence, Plan, add, share_of

PLAN = Plan()
MOST_SETS = 20_000
LUCK = 0.09
"""The deviation of what a seed adds to a seat's chances (60 Elo points), which a set takes out again."""


def play_set(gain: float, random: Random) -> float:
    """Two games of one seed with the seats exchanged."""
    share = share_of(gain)
    most = min(share, 1 - share)
    luck = min(max(random.gauss(0.0, LUCK), -most), most)
    wins = (random.random() < share + luck) + (random.random() < share - luck)
    return wins / 2


def run_test(gain: float, random: Random) -> Evidence:
    evidence = Evidence()
    while evidence.conclusion is Conclusion.OPEN and evidence.sets < MOST_SETS:
        evidence = add(evidence, play_set(gain, random), PLAN)
    return evidence


@dataclass(frozen=True)
class Alone:
    """Tests of versions with one gain, each on its own."""

    promoted: float
    sets: float


def run_alone(gain: float, times: int) -> Alone:
    random = Random(f"alone {gain}")
    tests = [run_test(gain, random) for _ in range(times)]
    promoted = fmean(one.conclusion is Conclusion.BETTER for one in tests)
    return Alone(promoted, fmean(one.sets for one in tests))


def fixed_size(alpha: float = PLAN.alpha, beta: float = PLAN.beta) -> float:
    """Return how many sets a test of fixed size needs for these error rates."""
    random = Random(12)
    variance = pvariance([play_set(PLAN.elo1 / 2, random) for _ in range(20_000)])
    quantiles = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(1 - beta)
    return variance * (quantiles / (share_of(PLAN.elo1) - share_of(PLAN.elo0))) ** 2


@dataclass(frozen=True)
class Shared:
    """Candidates that share one arena until all are decided."""

    sets: float
    """Per candidate."""
    wait: float
    """Sets of all candidates until one that gains `elo1` is promoted, on average over those that are."""


def share_arena(gains: list[float], times: int, by_promise: bool = True) -> Shared:
    """Have candidates share an arena until every one of them is decided, again and again."""
    random, total, waits = Random(14), 0, []
    for _ in range(times):
        random.shuffle(gains)
        tests = dict.fromkeys(range(len(gains)), Evidence())
        waiting = dict.fromkeys(tests, Contender(0.5, 0))
        sets = 0
        while (number := next_candidate(waiting, sets)) is not None and sets < MOST_SETS * len(gains):
            one = tests[number] = add(tests[number], play_set(gains[number], random), PLAN)
            sets += 1
            hope = promise(one.log_better, one.log_not_better, PLAN) if by_promise else 0.5
            waiting[number] = Contender(hope, one.sets)
            if one.conclusion is not Conclusion.OPEN:
                del waiting[number]
                if one.conclusion is Conclusion.BETTER and gains[number] >= PLAN.elo1:
                    waits.append(sets)
        total += sets
    return Shared(total / times / len(gains), fmean(waits))
