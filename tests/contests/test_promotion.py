"""What the sets of a candidate say, and how candidates share the sets: the promising play more, all play."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from contests.promotion import (
    Contender,
    CourseEnding,
    PlayedSet,
    SetState,
    follow_sets,
    next_candidate,
    promise,
)
from contests.sequential import Conclusion, Evidence, Plan, add, weigh

PLAN = Plan()
SETS = st.lists(
    st.builds(
        PlayedSet,
        st.sampled_from(SetState),
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
        st.booleans(),
    ),
    max_size=60,
)
MOST = st.integers(1, 50)


def counted(*results: float, failed: bool = False) -> list[PlayedSet]:
    return [PlayedSet(SetState.COUNTED, result, failed) for result in results]


def test_before_the_first_set_nothing_is_known() -> None:
    course = follow_sets([], PLAN, 10)
    assert (course.ending, course.evidence) == (CourseEnding.OPEN, Evidence())


def test_wins_promote_and_losses_reject() -> None:
    assert follow_sets(counted(*[1.0] * 30), PLAN, 100).ending is CourseEnding.BETTER
    assert follow_sets(counted(*[0.0] * 30), PLAN, 100).ending is CourseEnding.NOT_BETTER


def test_sets_that_say_nothing_end_undecided() -> None:
    sets = counted(*[1.0, 0.0] * 5)
    assert follow_sets(sets[:9], PLAN, 10).ending is CourseEnding.OPEN
    assert follow_sets(sets, PLAN, 10).ending is CourseEnding.UNDECIDED


def test_a_candidate_that_fails_throughout_two_sets_in_a_row_is_failing() -> None:
    failed, fine = counted(0.0, failed=True), counted(0.5)
    assert follow_sets([*failed, *fine, *failed], PLAN, 100).ending is CourseEnding.OPEN
    assert follow_sets([*failed, *failed], PLAN, 100).ending is CourseEnding.FAILING


@given(SETS, MOST)
def test_a_void_set_leaves_no_trace(sets: list[PlayedSet], most: int) -> None:
    without = [one for one in sets if one.state is not SetState.VOID]
    assert follow_sets(sets, PLAN, most) == follow_sets(without, PLAN, most)


@given(SETS, MOST)
def test_sets_behind_an_open_one_wait(sets: list[PlayedSet], most: int) -> None:
    states = [one.state for one in sets]
    known = sets[: states.index(SetState.OPEN)] if SetState.OPEN in states else sets
    assert follow_sets(sets, PLAN, most) == follow_sets(known, PLAN, most)


@given(SETS, MOST)
def test_an_ending_stays_whatever_comes_later(sets: list[PlayedSet], most: int) -> None:
    endings = [follow_sets(sets[:size], PLAN, most).ending for size in range(len(sets) + 1)]
    reached = [ending for ending in endings if ending is not CourseEnding.OPEN]
    assert len(set(reached)) <= 1
    assert endings == [CourseEnding.OPEN] * (len(endings) - len(reached)) + reached


@given(SETS, MOST)
def test_the_evidence_is_that_of_the_sequential_test(sets: list[PlayedSet], most: int) -> None:
    course = follow_sets(sets, PLAN, most)
    results = [one.result for one in sets if one.state is SetState.COUNTED][: len(course.steps)]
    assert course.evidence == weigh(results, PLAN)
    assert [step.sets for step in course.steps] == list(range(1, len(course.steps) + 1))


@given(SETS, MOST, st.randoms())
def test_it_does_not_matter_in_which_order_sets_end(sets: list[PlayedSet], most: int, random: Random) -> None:
    arriving = list(range(len(sets)))
    random.shuffle(arriving)
    known, course = [PlayedSet()] * len(sets), follow_sets([], PLAN, most)
    for number in arriving:
        known[number] = sets[number]
        course = follow_sets(known, PLAN, most)
    assert course == follow_sets(sets, PLAN, most)


def hope(evidence: Evidence) -> float:
    return promise(evidence.log_better, evidence.log_not_better, PLAN)


def test_a_candidate_that_wins_promises_more_than_one_that_loses() -> None:
    assert hope(Evidence()) == 0.5
    assert hope(weigh([1.0] * 5, PLAN)) > 0.5 > hope(weigh([0.0] * 5, PLAN))


def test_the_promising_play_more_and_all_are_decided() -> None:
    random, tests = Random(5), {number: Evidence() for number in (1, 2, 3)}
    chances = {1: 0.75, 2: 0.5, 3: 0.5}
    turns: Counter[int] = Counter()
    waiting = {number: Contender(0.5, 0) for number in tests}
    while (number := next_candidate(waiting, turns.total())) is not None:
        turns[number] += 1
        tests[number] = add(tests[number], float(random.random() < chances[number]), PLAN)
        waiting[number] = Contender(hope(tests[number]), turns[number])
        if tests[number].conclusion is not Conclusion.OPEN:
            del waiting[number]
        if turns.total() == 40:
            assert turns[1] > turns[2]
            assert min(turns.values()) >= 3
    assert tests[1].conclusion is Conclusion.BETTER
    assert all(one.conclusion is not Conclusion.OPEN for one in tests.values())


def test_without_candidates_nobody_plays() -> None:
    assert next_candidate({}, 0) is None
