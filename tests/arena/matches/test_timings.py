"""Packed times come out as they went in."""

from hypothesis import given
from hypothesis import strategies as st

from arena.matches.models import MatchReport
from arena.matches.timings import SeatTimes, pack, unpack

DECISION = st.tuples(st.integers(0, 5), st.integers(0, 10**10))


def seat_of(decisions: list[tuple[int, int]]) -> SeatTimes:
    steps, step = [], 0
    for further, _ in decisions:
        step += further
        steps.append(step)
    return SeatTimes(steps, [us for _, us in decisions])


@given(st.lists(st.lists(DECISION, max_size=40).map(seat_of), max_size=4))
def test_packed_times_come_out_as_they_went_in(seats: list[SeatTimes]) -> None:
    assert unpack(pack(seats)) == seats


def test_reports_of_before_they_were_packed_are_read_too() -> None:
    times = [SeatTimes([1, 4], [100, 2000]), SeatTimes([2], [300])]
    old = {"seats": [{"steps": seat.steps, "charged_us": seat.charged_us} for seat in times]}
    assert MatchReport(timings=old).seat_times == times
    assert MatchReport(times=pack(times)).seat_times == times
