"""A game of the kernel by itself means in each call what `State` means."""

from random import Random

import pytest

from engine import State, ruleset
from engine.errors import IllegalActionError
from engine.kernel import Batch
from engine.rulesets import EDITIONS
from tests.engine.random_games import pick

SEED = Random(7).randbytes(32)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_is_the_one_that_the_engine_plays(seats, edition):
    state, rng = State.new(seats, SEED, ruleset(edition)), Random(seats)
    game = Batch(seats, [SEED], ruleset(edition)).single(0)
    while not state.is_over():
        assert not game.is_over()
        assert game.to_act() == state.to_act()
        assert game.legal_actions() == state.legal_actions()
        assert game.scores() == state.scores()
        action = pick(state, rng)
        state.apply(action)
        game.apply(action)
    assert game.is_over()
    assert (game.to_act(), game.legal_actions()) == (-1, ())
    assert (game.scores(), game.placements()) == (state.scores(), state.placements())


def middle(moves=120):
    state, rng = State.new(3, SEED), Random(3)
    for _ in range(moves):
        state.apply(pick(state, rng))
    return state


def test_an_illegal_action_names_the_rule_and_changes_nothing():
    state = middle()
    game = Batch.of([state]).single(0)
    legal = game.legal_actions()
    for action in {-1, 3, 63, 9999, 2**31, 2**70, -(2**70)} - set(legal):
        with pytest.raises(IllegalActionError) as expected:
            state.apply(action)
        with pytest.raises(IllegalActionError) as found:
            game.apply(action)
        assert (found.value.rule, found.value.action) == (expected.value.rule, action)
        assert str(found.value) == str(expected.value)
    assert game.legal_actions() == legal


@pytest.mark.parametrize("action", [None, "4", 4.0, [4]])
def test_what_is_not_an_integer_is_one_clear_error(action):
    with pytest.raises(TypeError, match="int"):
        Batch(2, [SEED]).single(0).apply(action)


def test_there_is_no_single_game_outside_the_batch():
    for number in (-2, 1, 10**9):
        with pytest.raises(IndexError):
            Batch(2, [SEED]).single(number)


def test_clones_playouts_and_the_batch_go_their_own_ways():
    batch = Batch.of([middle()])
    game, before = batch.single(0), batch.fingerprint(0)
    copy, legal = game.clone(), game.legal_actions()
    for seed in (0, 5, 2**40, -3):
        assert copy.clone().playout(seed) == batch.state(0).playout(seed)
    copy.apply(copy.legal_actions()[-1])
    assert game.legal_actions() == legal
    assert game.playout(1) == game.placements()
    assert game.is_over()
    assert batch.fingerprint(0) == before
