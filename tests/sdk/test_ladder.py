"""The comparison of house bots is fair, and shows what it should where that is cheap to show."""

from collections import Counter

import pytest

from bench.bots import SteadyPlayer, arrangements, interval, play_set

A, B = SteadyPlayer("warlord"), SteadyPlayer("settler")


@pytest.mark.parametrize("seats", [3, 4])
def test_both_kinds_sit_in_every_seat_equally_often(seats):
    tables = arrangements(A, B, seats)
    assert len(tables) == len(set(tables)) == 6
    for seat in range(seats):
        assert Counter(table[seat] for table in tables) == {A: 3, B: 3}


@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_beats_chance_beyond_doubt(seats):
    low, _high = interval([play_set("greedy", "random", seats, number, 1) for number in range(4)])
    assert low > 0.5
