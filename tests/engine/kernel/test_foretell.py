"""The network answers the same in C as in the form to read, and sees nothing that the seat cannot know."""

import math
from array import array
from random import Random

import pytest

from engine import State, observe
from engine.kernel import Batch, BatchError, native_form
from engine.kernel.foretell import INPUTS, WEIGHTS, foretell, foretell_all, inputs
from engine.kernel.plain import Games, Table
from engine.observation import determinize
from engine.randomness import SEED_BYTES
from tests.engine.random_games import pick

pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")


def a_network(seed=1):
    rng = Random(seed)
    return array("f", [rng.gauss(0, 0.2) for _ in range(WEIGHTS)])


def positions(seats, number=40):
    """States all along a game."""
    rng = Random(seats)
    state, found = State.new(seats, rng.randbytes(SEED_BYTES)), []
    while not state.is_over():
        found.append(state.clone())
        state.apply(pick(state, rng))
    return [*rng.sample(found, number), state]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_both_forms_foretell_the_same(seats):
    states, network = positions(seats), a_network()
    batch = Batch.of(states)
    found = array("f", bytes(4 * len(states) * seats))
    batch.foretell_into(found, network)
    expected = [value for state in states for value in foretell_all(network, state)]
    assert found.tolist() == pytest.approx(expected, abs=1e-4)
    assert len({round(value, 3) for value in expected}) > seats  # or there was nothing to compare


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_both_forms_choose_the_same_and_show_what_they_saw(seats):
    states, network = positions(seats, 12), a_network(2)
    batch, plain = Batch.of(states), Games(Table(states[0].board), seats, 0)
    plain.games = [state.clone() for state in states]
    rows = [array("f", bytes(4 * len(states) * INPUTS)) for _ in range(2)]
    chosen = batch.think(network, 2, 5, 0.3, rows[0])
    expected = array("q", bytes(8 * len(states)))
    plain.think_into(expected, rows[1], network, 2, 300_000, 5)
    assert chosen == expected
    assert chosen[-1] == -1  # the last game is over
    assert rows[0].tolist() == pytest.approx(rows[1].tolist(), abs=1e-4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_seat_cannot_know_does_not_change_its_choice(seats):
    rng, network = Random(seats), a_network(3)
    for state in positions(seats, 20)[:-1]:
        seen = observe(state, state.actor)
        other = determinize(seen, rng, state.board, state.rules)
        assert Batch.of([state]).think(network, 3, 9) == Batch.of([other]).think(network, 3, 9)


def test_a_network_that_has_learned_nothing_follows_the_formula():
    judged = [
        [50, 8, 30, 9, 5, 0, 2, 1, 0, 0, 3, 20, 0, 4, 2, 1, 1],
        [40, 4, 20, 9, 5, 0, 1, 1, 0, 0, 3, 20, 0, 4, 2, 1, 0],
    ]
    seen = inputs(judged, 0)
    assert len(seen) == INPUTS
    # 10 and 4 points ahead now, 10 later at half their worth for 3 of 4 cards, one card more in hand
    assert seen[-1] == pytest.approx((10 + 4 + 0.5 * 3 * 10 / 4 + 2) / 25)
    assert foretell([0.0] * WEIGHTS, seen) == pytest.approx(math.tanh(seen[-1]))


def test_what_is_no_network_is_refused():
    batch = Batch(2, [bytes(32)])
    for wrong in (b"", array("f", [0.0]), array("d", [0.0] * WEIGHTS), None, [0.0] * WEIGHTS):
        with pytest.raises(BatchError, match="a network is"):
            batch.think(wrong, 1, 1)
    with pytest.raises(BatchError, match="worlds"):
        batch.think(a_network(), 0, 1)
    with pytest.raises(BatchError, match="32-bit floats"):
        batch.foretell_into(array("d", [0.0, 0.0]), a_network())
