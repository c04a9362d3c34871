"""Candidates share the sets: the promising play more, and nobody waits for ever."""

from collections import Counter
from random import Random

from contests.promotion import next_candidate, promise
from contests.sequential import Conclusion, Evidence, Plan, add, weigh

PLAN = Plan()


def test_a_candidate_that_wins_promises_more_than_one_that_loses() -> None:
    assert promise(Evidence(), PLAN) == 0.5
    assert promise(weigh([1.0] * 5, PLAN), PLAN) > 0.5 > promise(weigh([0.0] * 5, PLAN), PLAN)


def test_the_promising_play_more_and_all_are_decided() -> None:
    random, tests = Random(5), {number: Evidence() for number in (1, 2, 3)}
    chances = {1: 0.75, 2: 0.5, 3: 0.5}
    turns: Counter[int] = Counter()
    while (number := next_candidate(tests, PLAN, turns.total())) is not None:
        turns[number] += 1
        tests[number] = add(tests[number], float(random.random() < chances[number]), PLAN)
        if turns.total() == 40:
            assert turns[1] > turns[2]
            assert min(turns.values()) >= 3
    assert tests[1].conclusion is Conclusion.BETTER
    assert all(one.conclusion is not Conclusion.OPEN for one in tests.values())


def test_without_candidates_nobody_plays() -> None:
    assert next_candidate({}, PLAN, 0) is None
