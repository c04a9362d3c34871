"""The comparison of house bots is fair, and shows what it should where that is cheap to show."""

from collections import Counter

import pytest

from bench import bots
from bench.bots import SteadyPlayer, arrangements, compare

A, B = SteadyPlayer("warlord"), SteadyPlayer("settler")


@pytest.mark.parametrize("seats", [3, 4])
def test_both_kinds_sit_in_every_seat_equally_often(seats):
    tables = arrangements(A, B, seats)
    assert len(tables) == len(set(tables)) == 6
    for seat in range(seats):
        assert Counter(table[seat] for table in tables) == {A: 3, B: 3}


@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_beats_chance_beyond_doubt(seats, monkeypatch):
    monkeypatch.setitem(bots.SETS, "greedy", 4)
    one = compare("greedy", "random", seats)
    assert one.beaten_low > 0.5
    assert one.troubles == 0
