"""The sequential test over duplicate sets: its error rates when it is watched after every set."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contests.sequential import (
    Conclusion,
    Evidence,
    Plan,
    add,
    covers,
    elo_of,
    interval,
    seatings,
    set_result,
    sets_left,
    share_of,
    weigh,
)

FIVE = (0.0, 0.25, 0.5, 0.75, 1.0)
SHAPES = {
    # Weights of the five results of a set of two seats, before they are tilted to the wanted mean.
    "no draws, little luck": (20, 0, 60, 0, 20),
    "no draws, much luck": (5, 0, 90, 0, 5),
    "draws": (5, 25, 40, 25, 5),
}
results_of_sets = st.lists(st.sampled_from((*FIVE, 1 / 3, 2 / 3)), min_size=1, max_size=60)


def tilt(weights: tuple[int, ...], elo: float) -> list[float]:
    """Shift weights so that the mean result is what Elo expects."""
    low, high = -60.0, 60.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        tilted = [
            weight * math.exp(middle * (value - 0.5)) for weight, value in zip(weights, FIVE, strict=True)
        ]
        mean = sum(weight * value for weight, value in zip(tilted, FIVE, strict=True)) / sum(tilted)
        low, high = (middle, high) if mean < share_of(elo) else (low, middle)
    return tilted


def conclude(elo: float, shape: str, plan: Plan, dice: random.Random, most: int) -> tuple[Conclusion, int]:
    """Play sets until the test decides, looking after every one."""
    evidence = Evidence()
    for number, result in enumerate(dice.choices(FIVE, tilt(SHAPES[shape], elo), k=most), 1):
        evidence = add(evidence, result, plan)
        if evidence.conclusion is not Conclusion.OPEN:
            return evidence.conclusion, number
    return Conclusion.OPEN, most


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("truth", "wrong"), [(0.0, Conclusion.BETTER), (60.0, Conclusion.NOT_BETTER)])
def test_a_wrong_answer_is_as_rare_as_promised_however_often_one_looks(
    shape: str, truth: float, wrong: Conclusion
) -> None:
    dice, plan, runs = random.Random(f"{shape}{truth}"), Plan(0.0, 60.0), 400
    answers = [conclude(truth, shape, plan, dice, 1500) for _ in range(runs)]
    errors = sum(answer is wrong for answer, _ in answers)
    # 5% is the bound; three standard errors of the simulation are allowed on top.
    assert errors / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert all(answer is not Conclusion.OPEN for answer, _ in answers)


def test_the_test_needs_fewer_sets_than_one_of_fixed_size() -> None:
    dice, plan = random.Random("speed"), Plan(0.0, 60.0)
    weights = tilt(SHAPES["no draws, little luck"], 60.0)
    mean = share_of(60.0)
    variance = sum(w * (v - mean) ** 2 for w, v in zip(weights, FIVE, strict=True)) / sum(weights)
    fixed = (2 * 1.644854) ** 2 * variance / (mean - 0.5) ** 2
    needed = [conclude(60.0, "no draws, little luck", plan, dice, 2000)[1] for _ in range(300)]
    assert sum(needed) / len(needed) < 0.7 * fixed


@pytest.mark.parametrize("truth", [-200.0, 0.0, 35.0])
def test_the_interval_holds_the_truth_after_every_set(truth: float) -> None:
    dice, runs, missed = random.Random(truth), 200, 0
    weights = tilt(SHAPES["no draws, little luck"], truth)
    for _ in range(runs):
        counts: dict[float, int] = {}
        for result in dice.choices(FIVE, weights, k=200):
            counts[result] = counts.get(result, 0) + 1
            if not covers(counts, truth):
                missed += 1
                break
    assert missed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_the_interval_closes_around_the_truth() -> None:
    few, many = interval({0.0: 20, 0.5: 50, 1.0: 30}), interval({0.0: 2000, 0.5: 5000, 1.0: 3000})
    truth = elo_of(0.55)
    assert few[0] < many[0] < truth < many[1] < few[1]
    assert many[1] - many[0] < 25


@given(results_of_sets)
def test_the_interval_and_covers_say_the_same(results: list[float]) -> None:
    evidence = weigh(results, Plan())
    low, high = evidence.interval()
    assert low <= evidence.elo <= high
    for elo in (-300.0, -20.0, 0.0, 20.0, 300.0):
        if min(abs(elo - low), abs(elo - high)) > 0.01:
            assert covers(evidence.counts, elo) == (low < elo < high)


@given(results_of_sets)
def test_what_speaks_for_one_bot_speaks_against_the_other(results: list[float]) -> None:
    forth = weigh(results, Plan(-10.0, 10.0))
    back = weigh([1 - result for result in results], Plan(-10.0, 10.0))
    assert forth.log_better == pytest.approx(back.log_not_better, abs=1e-9)
    assert forth.elo == pytest.approx(-back.elo, abs=1e-6)
    assert forth.interval() == pytest.approx(tuple(-end for end in reversed(back.interval())), abs=1e-3)


@given(results_of_sets)
def test_a_conclusion_stays_and_nothing_overflows(results: list[float]) -> None:
    evidence, before = Evidence(), Conclusion.OPEN
    for result in results:
        evidence = add(evidence, result, Plan(-1000.0, 1000.0, 0.2, 0.2))
        assert before in (Conclusion.OPEN, evidence.conclusion)
        before = evidence.conclusion
    assert evidence.sets == len(results)
    assert math.isfinite(evidence.log_better)
    assert math.isfinite(evidence.log_not_better)


def test_a_bot_that_always_wins_is_found_better_soon_and_its_interval_is_open_above() -> None:
    evidence = weigh([1.0] * 12, Plan())
    assert evidence.conclusion is Conclusion.BETTER
    assert evidence.elo == math.inf
    low, high = evidence.interval()
    assert 0 < low < math.inf == high


def test_without_a_set_nothing_is_known() -> None:
    evidence = Evidence()
    assert (evidence.sets, evidence.score, evidence.elo) == (0, 0.5, 0.0)
    assert evidence.interval() == (-math.inf, math.inf)
    assert sets_left(evidence, Plan()) is None


def test_the_estimate_of_sets_left_comes_down_to_none() -> None:
    plan = Plan(0.0, 50.0)
    early, later = weigh([0.5, 1.0, 0.5] * 4, plan), weigh([0.5, 1.0, 0.5] * 6, plan)
    assert (sets_left(early, plan) or 0) > (sets_left(later, plan) or 0) > 0
    assert sets_left(weigh([1.0] * 30, plan), plan) == 0


@pytest.mark.parametrize(("seats", "games"), [(2, 2), (3, 6), (4, 6)])
def test_in_a_set_both_bots_sit_everywhere_equally_often(seats: int, games: int) -> None:
    tables = seatings(seats)
    assert len(tables) == len(set(tables)) == games
    assert all(2 * sum(table[seat] for table in tables) == games for seat in range(seats))
    assert {tuple(not mine for mine in table) for table in tables} == set(tables)


def test_the_result_of_a_set_is_the_share_of_pairs_won() -> None:
    assert set_result([((True, False), (1, 2)), ((False, True), (1, 2))]) == 0.5
    assert set_result([((True, False), (1, 1)), ((False, True), (2, 1))]) == 0.75
    assert set_result([((True, False, False), (2, 1, 3))]) == 0.5
    assert set_result([((True, False, True, False), (1, 2, 3, 4))]) == 0.75


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Plan(5.0, 5.0), "elo0 must be less than elo1"),
        (lambda: Plan(0.0, math.nan), "elo0 must be less than elo1"),
        (lambda: Plan(alpha=0.0), "between 0 and 1"),
        (lambda: weigh([1.5], Plan()), "from 0 to 1"),
        (lambda: weigh([math.nan], Plan()), "from 0 to 1"),
        (lambda: set_result([((True, True), (1, 2))]), "both bots"),
    ],
)
def test_nonsense_is_refused(wrong, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=said):
        wrong()
