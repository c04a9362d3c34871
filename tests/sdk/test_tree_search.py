"""Bots that search a tree: the native and the Python tree, their clocks, and what they find."""

import random
from itertools import count

import pytest

from aztlan.bot import Match
from aztlan.house.ismcts import Ismcts
from aztlan.house.random_play import RandomPlay
from aztlan.house.tree import TreeSearch
from aztlan.house.worlds import deal_worlds
from aztlan.local.table import NO_CLOCKS, play_game
from engine import State, load_board, observe, ruleset
from engine.kernel import native_form
from engine.kernel.search import Search
from engine.position import CHOOSING
from tests.engine.random_games import pick

pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")


class PlainIsmcts(Ismcts):
    """With the tree in Python, as where no kernel was built."""

    def plant(self, observation):
        return TreeSearch(observation, self.match, 0.1, self.network(observation.seats), self.open_after)


def seated(bot, seats, seat):
    """A bot that sits at a table, with all the time in the world."""
    bot.match = Match("m", seat, seats, load_board(), ruleset(), NO_CLOCKS, "")
    bot.time_left = bot.time_limit = 3600.0
    return bot


def a_position(seats, age, phase, seed=1):
    state, rng = State.new(seats, bytes([seed]) * 32), random.Random(seed)
    while state.age < age or state.phase != phase:
        state.apply(pick(state, rng))
    return state


@pytest.mark.parametrize("kind", [Ismcts, PlainIsmcts])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tree_finds_the_action_that_scores_at_once(kind, seats):
    """With the wild card the seat names a type and scores: whatever follows, the best type is best."""
    state = State.new(seats, bytes(32))
    rng = random.Random(3)
    while not (state.phase == 3 and len(state.legal_actions()) == 5):
        state.apply(
            4 if 4 in state.legal_actions() and state.phase == CHOOSING else rng.choice(state.legal_actions())
        )
    points = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        points.append(after.score[state.actor] - state.score[state.actor])
    bot = seated(kind(1, simulations=600), seats, state.actor)
    chosen = bot.choose(observe(state, state.actor), state.legal_actions())
    assert points[state.legal_actions().index(chosen)] == max(points)


@pytest.mark.parametrize("kind", [Ismcts, PlainIsmcts])
@pytest.mark.parametrize("phase", [1, 2, 3])
def test_every_answer_is_legal_and_the_same_for_the_same_seed(kind, phase):
    state = a_position(4, 3, phase)
    seen, legal = observe(state, state.actor), state.legal_actions()
    answers = {seated(kind(7, simulations=320), 4, state.actor).choose(seen, legal) for _ in range(2)}
    assert len(answers) == 1
    assert answers <= set(legal)


@pytest.mark.parametrize("clock", [{"time_left": 0.0}, {"time_limit": 0.0}])
def test_without_time_it_tries_each_action_in_one_world_and_answers(clock):
    state = a_position(3, 2, 1)
    bot = seated(Ismcts(1), 3, state.actor)
    for name, value in clock.items():
        setattr(bot, name, value)
    assert bot.choose(observe(state, state.actor), state.legal_actions()) in state.legal_actions()
    assert bot.take_note().startswith("1 simulations of this")


def test_when_its_time_is_up_it_takes_the_best_so_far(monkeypatch):
    ticks = count(0, 10)  # at each look the clock has moved on by ten seconds
    monkeypatch.setattr("aztlan.house.ismcts.monotonic", lambda: next(ticks))
    state = a_position(3, 2, 1)
    bot = seated(Ismcts(1, seconds=25, simulations=600), 3, state.actor)
    assert bot.choose(observe(state, state.actor), state.legal_actions()) in state.legal_actions()
    assert bot.take_note().startswith("13 simulations of this")  # 1, then 8 and the last 4 of its round


@pytest.mark.parametrize("kind", [Ismcts, PlainIsmcts])
def test_every_round_tries_its_rivals_in_the_same_number_of_worlds_and_drops_half(kind):
    asked = []

    class Watched(kind):
        def plant(self, observation):
            search = super().plant(observation)
            simulate = search.simulate

            def watched(worlds, seed, among=None):
                rows = simulate(worlds, seed, among)
                asked.append((len(rows), {visits for _, visits, _ in rows}))
                return rows

            search.simulate = watched
            return search

    state = a_position(3, 2, 1)
    seated(Watched(1, simulations=192), 3, state.actor).choose(
        observe(state, state.actor), state.legal_actions()
    )
    assert asked == [(12, {1}), (12, {5}), (6, {13}), (3, {29}), (2, {53})]


def test_it_beats_random_play_by_far():
    for seats in (2, 3, 4):
        bots = [RandomPlay(seat) for seat in range(seats)]
        bots[0] = Ismcts(1, simulations=400)
        _, state = play_game(bots, bytes([seats]) * 32)
        assert state.placements()[0] == 1


def test_worlds_are_dealt_with_the_observing_seat_to_act():
    state = State.new(4, bytes(32))
    for seat in range(4):
        worlds = deal_worlds(seated(Ismcts(1), 4, seat), observe(state, seat), 8)
        assert worlds.to_act() == [seat] * 8


def test_a_search_for_a_power_card_is_the_observing_seats_own():
    """All choose at once, so whoever sits before it may not have chosen: they choose at random, as those after."""
    state = State.new(4, bytes(32))
    for seat in range(4):
        search = Search(observe(state, seat), state.board, state.rules, 0.1)
        found = search.simulate(300, seat)
        assert {action for action, _, _ in found} == set(state.legal_actions(seat))
        assert {visits for _, visits, _ in found} == {300}


def test_a_search_goes_on_with_the_actions_that_it_is_given():
    state = a_position(4, 2, 1)
    search = Search(observe(state, state.actor), state.board, state.rules, 0.1)
    first, second, *_ = [action for action, _, _ in search.simulate(2, 1)]
    assert [row[:2] for row in search.simulate(3, 2, [second])] == [(second, 5)]
    assert [row[:2] for row in search.simulate(1, 3, [first, second])] == [(first, 3), (second, 6)]
    assert search.simulate(1, 4, [-5, 99999]) == []
    with pytest.raises(TypeError):
        search.simulate(1, 4, ["place"])


@pytest.mark.parametrize("kind", [Ismcts, PlainIsmcts])
def test_no_single_world_hides_the_action_that_is_best_in_most(kind):
    """Others' cards lie face down. Of the worlds that they allow, every second one had this action below the dozen."""
    state, rng = State.new(3, bytes([5]) * 32), random.Random(5)
    for _ in range(116):
        state.apply(pick(state, rng))
    bot = seated(kind(1), 3, state.actor)
    for seed in range(12):
        tried = bot.plant(observe(state, state.actor)).simulate(1, seed)
        assert 72 in [action for action, _, _ in tried]
