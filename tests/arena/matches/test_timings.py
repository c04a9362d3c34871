"""Packed times come out in their order, short ones exact and long ones nearly so."""

from hypothesis import given
from hypothesis import strategies as st

from arena.matches.timings import SeatTimes, pack, unpack

DECISION = st.tuples(st.integers(0, 5), st.integers(0, 10**10))


def seat_of(decisions: list[tuple[int, int]]) -> SeatTimes:
    steps, step = [], 0
    for further, _ in decisions:
        step += further
        steps.append(step)
    return SeatTimes(steps, [us for _, us in decisions])


@given(st.lists(st.lists(DECISION, max_size=40).map(seat_of), max_size=4))
def test_packed_times_come_out_nearly_as_they_were(seats: list[SeatTimes]) -> None:
    unpacked = unpack(pack(seats))
    assert [seat.steps for seat in unpacked] == [seat.steps for seat in seats]
    for seat, before in zip(unpacked, seats, strict=True):
        for us, exact in zip(seat.charged_us, before.charged_us, strict=True):
            assert us == exact if exact < 64 else abs(us - exact) <= exact / 63


def test_packing_again_changes_nothing() -> None:
    once = unpack(pack([SeatTimes([1, 4, 9], [63, 64, 123_456_789])]))
    assert unpack(pack(once)) == once
    assert once[0].charged_us[:2] == [63, 64]
