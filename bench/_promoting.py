"""Promotion by evidence, on versions whose gain is known: wrong promotions, and sets until it is decided."""

from random import Random
from statistics import NormalDist, fmean, pvariance

from contests.promotion import next_candidate
from contests.sequential import Conclusion, Evidence, Plan, add, share_of

PLAN = Plan()
MOST_SETS = 20_000
LUCK = 60.0
"""Elo points: the deviation of what a seed gives the seat, which a duplicate set takes out again."""


def play_set(gain: float, random: Random) -> float:
    """Two games of one seed with the seats exchanged."""
    luck = random.gauss(0.0, LUCK)
    wins = (random.random() < share_of(gain + luck)) + (random.random() < share_of(gain - luck))
    return wins / 2


def run_test(gain: float, random: Random) -> Evidence:
    evidence = Evidence()
    while evidence.conclusion is Conclusion.OPEN and evidence.sets < MOST_SETS:
        evidence = add(evidence, play_set(gain, random), PLAN)
    return evidence


def wrong_promotions(tests: int) -> float:
    """Return the share of versions that gain nothing and are promoted all the same."""
    random = Random(11)
    return fmean(run_test(0.0, random).conclusion is Conclusion.BETTER for _ in range(tests))


def fixed_size() -> float:
    """Return how many sets a test of fixed size needs for the plan's error rates."""
    random = Random(12)
    variance = pvariance([play_set(PLAN.elo1 / 2, random) for _ in range(20_000)])
    quantiles = NormalDist().inv_cdf(1 - PLAN.alpha) + NormalDist().inv_cdf(1 - PLAN.beta)
    return variance * (quantiles / (share_of(PLAN.elo1) - share_of(PLAN.elo0))) ** 2


def sets_alone(gain: float, times: int) -> float:
    """Return the mean number of sets until a test is decided, beside a test of fixed size."""
    random = Random(13)
    return fmean(run_test(gain, random).sets for _ in range(times)) / fixed_size()


def sets_among_many(gains: list[float], times: int) -> float:
    """Return the sets that all candidates play until the first is promoted, beside fixed sizes for all."""
    random, played = Random(14), []
    for _ in range(times):
        random.shuffle(gains)
        tests = {number: Evidence() for number in range(len(gains))}
        sets = 0
        while (number := next_candidate(tests, PLAN, sets)) is not None and sets < MOST_SETS:
            tests[number] = add(tests[number], play_set(gains[number], random), PLAN)
            sets += 1
            if tests[number].conclusion is Conclusion.BETTER:
                break
        played.append(sets)
    return fmean(played) / len(gains) / fixed_size()
