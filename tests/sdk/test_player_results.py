"""The numbers of a contest: shares, places, Elo, and intervals that are as wide as the evidence is thin."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aztlan.local.match import Outcome
from aztlan.local.player_results import elo, interval, standings


def game(*names_by_place, troubles=None):
    names = tuple(names_by_place)
    return Outcome(
        names, tuple(range(1, len(names) + 1)), (0,) * len(names), troubles or ("",) * len(names), None
    )


def test_shares_and_places_are_counted_by_seat():
    table = standings([[game("a", "b", "a", "c")], [game("b", "a", "a", "c")]])
    by_name = {one.name: one for one in table}
    assert [one.name for one in table] == ["b", "a", "c"]
    assert (by_name["a"].games, by_name["a"].wins, by_name["a"].win_share) == (4, 1, 0.25)
    assert by_name["a"].mean_place == pytest.approx((1 + 3 + 2 + 3) / 4)
    # In the first game both of a's seats beat c and one of them beats b; a does not play against itself.
    assert by_name["a"].beaten == pytest.approx((3 / 4 + 2 / 4) / 2)
    assert by_name["c"].beaten == 0


def test_a_share_of_three_quarters_is_191_elo():
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(0.5) == 0
    assert elo(0.25) == -elo(0.75)
    assert (elo(1), elo(0)) == (math.inf, -math.inf)


def test_one_set_tells_no_interval_and_two_won_sets_prove_nothing_yet():
    assert interval([1.0]) == (None, None)
    low, high = interval([1.0, 1.0])
    assert low < 0.5
    assert high == pytest.approx(1)


def test_many_won_sets_prove_something():
    assert interval([1.0] * 10)[0] > 0.5


def test_the_interval_is_students():
    low, high = interval([0.4, 0.6, 0.8])
    assert (low + high) / 2 == pytest.approx(0.6, abs=0.11)  # its low end is cut at nothing
    assert high - 0.6 == pytest.approx(min(0.4, 4.303 * 0.2 / math.sqrt(3)))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60))
def test_an_interval_holds_its_mean_and_lies_between_nothing_and_all(shares):
    low, high = interval(shares)
    mean = sum(shares) / len(shares)
    assert -1e-9 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1 + 1e-9


def test_troubles_are_counted_for_whoever_had_them():
    table = standings([[game("a", "b", troubles=("", "it exited with code 1"))]])
    assert {one.name: one.troubles for one in table} == {"a": 0, "b": 1}
