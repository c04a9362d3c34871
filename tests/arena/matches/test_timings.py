"""Packed times come out as they went in."""

import random

from hypothesis import given
from hypothesis import strategies as st

from arena.matches.models import MatchReport
from arena.matches.timings import SeatTimes, pack, pack_any, place_of, time_at, unpack
from workers.match.clock import rounded

TIMES = st.integers(0, 10**10)
DECISION = st.tuples(st.integers(0, 5), st.one_of(TIMES, TIMES.map(rounded)))


def seat_of(decisions: list[tuple[int, int]]) -> SeatTimes:
    steps, step = [], 0
    for further, _ in decisions:
        step += further
        steps.append(step)
    return SeatTimes(steps, [us for _, us in decisions])


@given(st.lists(st.lists(DECISION, max_size=40).map(seat_of), max_size=4))
def test_packed_times_come_out_as_they_went_in(seats: list[SeatTimes]) -> None:
    assert unpack(pack(seats)) == seats


@st.composite
def games(draw: st.DrawFn) -> list[SeatTimes]:
    """Like a game: at each step one seat is asked or, when it has failed, none."""
    seats = [SeatTimes([], []) for _ in range(draw(st.integers(2, 4)))]
    usual = draw(st.integers(0, 30_000_000))
    for step, seat in enumerate(draw(st.lists(st.integers(-1, len(seats) - 1), max_size=400))):
        if seat >= 0:
            seats[seat].steps.append(step)
            us = draw(st.integers(usual // 2, 2 * usual).map(rounded)) if step % 7 else draw(TIMES)
            seats[seat].charged_us.append(us)
    return seats


@given(games())
def test_times_of_a_game_come_out_as_they_went_in(seats: list[SeatTimes]) -> None:
    assert unpack(pack(seats)) == seats
    assert unpack(pack_any(seats)) == seats, "as they were packed before"


@given(TIMES)
def test_a_rounded_time_is_a_little_less_and_has_a_place_of_its_own(us: int) -> None:
    assert us * 31 / 32 <= rounded(us) <= us
    assert rounded(rounded(us)) == rounded(us)
    assert time_at(place_of(rounded(us))) == rounded(us)


def test_the_places_of_rounded_times_have_no_gaps() -> None:
    times = [time_at(place) for place in range(600)]
    assert times == sorted(set(times))
    assert [place_of(us) for us in times] == list(range(600))


def test_the_times_of_a_match_of_four_take_less_than_400_bytes() -> None:
    chance = random.Random(4)
    seats = [SeatTimes([], []) for _ in range(4)]
    for step in range(300):
        seat = seats[step // 2 % 4]
        seat.steps.append(step)
        seat.charged_us.append(rounded(int(chance.lognormvariate(9, 1))))
    assert len(pack(seats)) < 400


def test_reports_of_before_they_were_packed_are_read_too() -> None:
    times = [SeatTimes([1, 4], [100, 2000]), SeatTimes([2], [300])]
    old = {"seats": [{"steps": seat.steps, "charged_us": seat.charged_us} for seat in times]}
    assert MatchReport(timings=old).seat_times == times
    assert MatchReport(times=pack(times)).seat_times == times
