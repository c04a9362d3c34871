"""The searcher heeds its clock, and with a fixed number of worlds it is the same every time."""

import random
from itertools import count

import pytest

from aztlan.house.searcher import Searcher, play_age
from aztlan.local.table import play_game
from engine.position import OVER
from engine.state import State


class Frugal(Searcher):
    """Notes how many worlds it looked at, as if its clock held so many seconds."""

    left = 3600.0
    limit = 3600.0

    def choose(self, observation, legal):
        self.time_left, self.time_limit = self.left, self.limit
        return super().choose(observation, legal)

    def note(self, text):
        self.looked = [*getattr(self, "looked", []), int(text.split()[0])]


def worlds_seen(bot):
    play_game([bot, Searcher(1, worlds=1)], bytes(32))
    return bot.looked


def test_with_a_number_of_worlds_it_looks_at_just_so_many():
    assert set(worlds_seen(Frugal(0, worlds=3))) == {3}


@pytest.mark.parametrize("clock", [{"left": 0.0}, {"limit": 0.0}])
def test_without_time_it_looks_at_one_world_and_answers(clock):
    bot = Frugal(0)
    for name, value in clock.items():
        setattr(bot, name, value)
    assert set(worlds_seen(bot)) == {1}


def test_with_time_it_looks_at_worlds_until_the_time_is_up(monkeypatch):
    ticks = count(0, 10)  # at each look the clock has moved on by ten seconds
    monkeypatch.setattr("aztlan.house.searcher.monotonic", lambda: next(ticks))
    assert set(worlds_seen(Frugal(0, seconds=45))) == {5}


def test_playing_an_age_out_ends_at_the_next_age_or_with_the_game():
    state = State.new(4, bytes(32))
    for age in range(1, 6):
        while state.phase == 0:
            state.apply(state.legal_actions()[0])
        play_age(state, age, random.Random(age))
        assert state.age == age + 1 or state.phase == OVER
    assert state.is_over()
