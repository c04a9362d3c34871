"""Placements once failed seats are put last."""

from hypothesis import given
from hypothesis import strategies as st

from workers.match.faults import Fault, FaultKind, final_placements

CRASH = FaultKind.CRASH


@given(
    st.integers(2, 4).flatmap(
        lambda n: st.tuples(
            st.permutations(range(1, n + 1)), st.lists(st.none() | st.integers(0, 5), min_size=n, max_size=n)
        )
    )
)
def test_honest_seats_keep_their_order_and_come_first(case: tuple[list[int], list[int | None]]) -> None:
    by_game, steps = case
    faults = {seat: Fault(CRASH, step, "") for seat, step in enumerate(steps) if step is not None}
    placements = final_placements(by_game, faults)
    assert sorted(placements) == sorted(by_game)
    for a in range(len(by_game)):
        for b in range(len(by_game)):
            better = placements[a] < placements[b]
            if (a in faults) != (b in faults):
                assert better == (b in faults)
            elif a in faults and faults[a].step != faults[b].step:
                assert better == (faults[a].step > faults[b].step)
            elif a != b:
                assert better == (by_game[a] < by_game[b])


def test_the_later_failure_places_better() -> None:
    faults = {0: Fault(CRASH, 10, ""), 2: Fault(CRASH, 90, "")}
    assert final_placements([1, 4, 2, 3], faults) == [4, 2, 3, 1]


def test_seats_that_failed_at_the_same_step_keep_the_games_order() -> None:
    faults = {0: Fault(CRASH, 0, ""), 1: Fault(FaultKind.NO_HELLO, 0, "")}
    assert final_placements([2, 1, 3], faults) == [3, 2, 1]
