"""The native form and the Python form answer every call alike, numbers written into buffers included."""

from array import array
from random import Random

import pytest

from engine import load_board
from engine.kernel import native_form, plain
from engine.kernel.batch import rule_bits
from engine.rulesets import EDITIONS, ruleset

np = pytest.importorskip("numpy", reason="the extra `rl` is not installed")
pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")

COUNT = 6


def both_forms(seats):
    from engine.kernel import native

    found = []
    for form in (native, plain):
        games = form.Games(form.Table(load_board()), seats, COUNT)
        for i in range(COUNT):
            games.deal(i, Random(i).randbytes(32), rule_bits(ruleset(EDITIONS[i % len(EDITIONS)])))
        found.append(games)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_vector_of_games_is_the_same_through_several_new_deals(seats):
    forms = both_forms(seats)
    length, width = forms[0].sizes()
    assert forms[1].sizes() == (length, width)
    shapes = [
        ((length,), np.int16),
        ((width,), np.uint8),
        ((seats,), np.float32),
        ((), np.uint8),
        ((), np.int8),
    ]
    buffers = [[np.full((COUNT, *shape), 7, kind) for shape, kind in [*shapes, shapes[0]]] for _ in forms]
    ended = 0
    for number in range(700):
        actions = [array("q", [0] * COUNT) for _ in forms]
        for games, row in zip(forms, actions, strict=True):
            games.sample_into(row, number, 0, COUNT)
            assert games.check(row, 0, COUNT, True) is None
        assert actions[0] == actions[1]
        for games, out in zip(forms, buffers, strict=True):
            games.advance(*out, 0, COUNT)
        assert all(np.array_equal(a, b) for a, b in zip(*buffers, strict=True)), number
        ended += int(buffers[0][3].sum())
    assert ended >= COUNT


def test_both_refuse_the_same_dense_indices():
    for index in (-5, -1, 0, 3, 10_000):
        row = array("q", [1] * COUNT)
        row[4] = index
        first, second = (games.check(row, 0, COUNT, True) for games in both_forms(3))
        assert first == second
        assert first is None if index in range(1, 7) else first[0] == 4
