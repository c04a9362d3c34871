"""A batch of games: what goes in, what comes out, and what is refused without harm."""

import os
import subprocess
import sys
import threading
from array import array
from random import Random

import pytest

from engine import State, load_board, observe, ruleset
from engine.boardfile import board_from_data
from engine.errors import ObservationError
from engine.kernel import Batch, BatchActionError, BatchError, determinize, native_form, playouts
from engine.record import fingerprint
from tests.engine.random_games import pick
from tests.engine.small_boards import ring

SEEDS = [Random(i).randbytes(32) for i in range(5)]


def a_batch(seats=3, moves=40):
    """Games somewhere in their middle."""
    batch, rng = Batch(seats, SEEDS), Random(seats)
    for _ in range(moves):
        batch.step([rng.choice(batch.legal_actions(i)) for i in range(batch.size)])
    return batch


def prints(batch):
    return [batch.fingerprint(i) for i in range(batch.size)]


def test_an_illegal_action_names_the_game_and_the_rule_and_no_game_has_moved():
    batch = a_batch()
    before, actions = prints(batch), [batch.legal_actions(i)[0] for i in range(5)]
    actions[3] = 9999
    with pytest.raises(BatchActionError, match=r"game 3: action 9999 refused: \w+") as caught:
        batch.step(actions)
    with pytest.raises(Exception, match="refused") as engines:
        batch.state(3).apply(9999)
    assert caught.value.game == 3
    assert caught.value.rule == engines.value.rule
    assert prints(batch) == before


@pytest.mark.parametrize(
    "actions",
    [None, 7, "12345", b"12345", [1.5] * 5, ["a"] * 5, [4] * 4, [4] * 6, [[4]] * 5, array("d", [4] * 5), {}],
    ids=repr,
)
def test_actions_of_a_wrong_shape_or_type_are_one_clear_error(actions):
    batch = Batch(2, SEEDS)
    before = prints(batch)
    with pytest.raises(BatchError, match=r"a row of whole numbers|actions were given for 5 games"):
        batch.step(actions)
    assert prints(batch) == before


@pytest.mark.parametrize("kind", list("bBhHiIlLqQ"))
def test_actions_may_be_integers_of_any_width(kind):
    batch = Batch(2, SEEDS)
    batch.step(array(kind, [4, 5, 6, 7, 8]))
    assert [batch.state(i).power[0] for i in range(5)] == [4, 5, 6, 7, 8]


def test_a_skipped_game_stays_as_it_is_and_a_finished_one_takes_no_action():
    batch = Batch(2, SEEDS[:2])
    before = batch.fingerprint(1)
    while batch.to_act()[0] >= 0:
        batch.step([batch.legal_actions(0)[0], -1])
    assert batch.fingerprint(1) == before
    assert batch.legal_actions(0) == ()
    with pytest.raises(BatchActionError, match="End of the Game"):
        batch.step([0, -1])


@pytest.mark.parametrize(
    ("out", "problem"),
    [
        (None, "not NoneType"),
        (bytes(10), "read-only"),
        (bytearray(10), "shape"),
        (array("h", [0] * 10), "shape"),
        (array("d", [0] * 10), "format 'd'"),
    ],
)
def test_a_buffer_that_does_not_fit_is_one_clear_error(out, problem):
    batch = Batch(4, SEEDS)
    with pytest.raises(BatchError, match=problem):
        batch.observe_into(out)
    if out is not None:
        with pytest.raises(BatchError, match=problem):
            batch.legal_mask(out)


@pytest.mark.parametrize("seats", [0, 1, 5, -1, "3", None, 2.0])
def test_seats_that_no_game_has_are_refused(seats):
    with pytest.raises(BatchError, match="2, 3 or 4 seats"):
        Batch(seats, SEEDS)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "x" * 32, 7, None])
def test_seeds_that_no_game_has_are_refused(seed):
    with pytest.raises(BatchError, match="a seed is 32 bytes"):
        Batch(3, [seed])


def test_a_clone_and_its_original_go_their_own_ways():
    batch = a_batch()
    before, copy = prints(batch), batch.clone()
    assert prints(copy) == before
    copy.step([copy.legal_actions(i)[-1] for i in range(5)])
    assert prints(batch) == before != prints(copy)


def test_states_of_different_rulesets_share_a_batch_and_keep_them():
    rules = [ruleset(name) for name in ("english", "french", "german", "italian")]
    states = [State.new(3, SEEDS[0], one) for one in rules]
    batch, rng = Batch.of(states), Random(1)
    while not all(state.is_over() for state in states):
        actions = [-1 if state.is_over() else pick(state, rng) for state in states]
        batch.step(actions)
        for state, action in zip(states, actions, strict=True):
            if action >= 0:
                state.apply(action)
    assert [batch.placements(i) for i in range(4)] == [state.placements() for state in states]
    assert [batch.state(i).rules for i in range(4)] == rules


def test_states_that_cannot_be_are_refused_and_named():
    good, bad = State.new(3, SEEDS[0]), State.new(3, SEEDS[0])
    bad.order = (0, 0, 1)
    if native_form():  # flat memory checks nothing later; Python's lists do
        with pytest.raises(BatchError, match="game 1: this is not a valid state: order"):
            Batch.of([good, bad])
    with pytest.raises(BatchError, match="game 1: all games"):
        Batch.of([good, State.new(2, SEEDS[0])])
    with pytest.raises(BatchError, match="no states"):
        Batch.of([])


CORRUPTIONS = {
    "actor": 3, "turn": 9, "battle": 60, "phase": 7, "age": 6, "power": (99, 0, 0), "deck_at": 31, "seed": b"x",
    "hands": [40] * 24, "pawns": [0] * 5, "present": [1, 0, 0], "rafts": (5000,), "score": (-1, 0, 0), "used": (64, 0, 0),
    "deck": (9,) * 30, "settled": 2**62, "side_of": (0, 1), "pool": "abc", "discard": (2**80,) * 8, "placed": None,
}  # fmt: skip


@pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")
@pytest.mark.parametrize("name", CORRUPTIONS)
def test_no_corrupt_field_gets_into_flat_memory(name):
    state = State.new(3, SEEDS[0])

    class Corrupt:
        def __getattr__(self, field):
            return CORRUPTIONS[name] if field == name else getattr(state, field)

    with pytest.raises(BatchError, match="this is not a valid state"):
        Batch.of([Corrupt()])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_playouts_are_those_of_the_state(seats):
    state, rng = State.new(seats, SEEDS[1]), Random(2)
    for _ in range(100):
        state.apply(pick(state, rng))
    before = fingerprint(state)
    assert playouts(state, 20, 2**33 - 5) == [state.clone().playout(2**33 - 5 + i) for i in range(20)]
    assert playouts(state, 2, -1) == [state.clone().playout(-1 + i) for i in range(2)]
    assert playouts(state, 0, 1) == []
    assert fingerprint(state) == before
    with pytest.raises(BatchError, match="number of playouts"):
        playouts(state, -1, 1)


def test_many_worlds_of_one_observation_differ_only_in_what_the_seat_cannot_see():
    state, rng = State.new(4, SEEDS[2]), Random(3)
    while state.age < 3:
        state.apply(pick(state, rng))
    seen = observe(state, state.to_act())
    worlds = determinize([seen], range(50))
    assert worlds.size == 50
    assert all(observe(worlds.state(i), seen.seat) == seen for i in range(50))
    assert len({worlds.fingerprint(i) for i in range(50)}) == 50
    assert determinize([seen] * 50, range(50)).fingerprint(7) == worlds.fingerprint(7)


def test_observations_that_do_not_add_up_are_refused():
    state = State.new(3, SEEDS[0])
    seen = observe(state, 0)
    with pytest.raises(BatchError, match="2 observations do not fit 3 seeds"):
        determinize([seen, seen], range(3))
    seen.deck_size = 29
    with pytest.raises(ObservationError, match="do not add up"):
        determinize([seen], [1])


def test_the_largest_and_the_smallest_boards_are_played_to_the_end():
    for size in (5, 60):
        board = board_from_data(f"ring{size}", ring(size))
        batch = Batch(4, SEEDS, ruleset("german"), board)
        places, decisions = batch.playouts(0, 30, 1)
        assert {tuple(sorted(one)) for one in places} == {(1, 2, 3, 4)}
        assert decisions > 1000 or not native_form()


def test_playouts_leave_the_interpreter_to_others():
    if not native_form():
        pytest.skip("the native kernel is not built here")
    batch, begun, ended = Batch(4, SEEDS), threading.Event(), threading.Event()

    def work():
        begun.set()
        batch.playouts(0, 30_000, 1)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    turns = 0
    while not ended.is_set():
        turns += 1
    thread.join()
    assert turns > 10_000  # with the lock held there would be none


def test_without_the_native_form_everything_works_and_says_so_once():
    program = (
        "import sys; sys.modules['engine.kernel.native'] = None\n"
        "from engine import State; from engine.kernel import Batch, native_form, playouts\n"
        "batch = Batch(3, [bytes(32)] * 2); batch.step([4, 9]); other = batch.clone()\n"
        "assert not native_form() and len(playouts(State.new(2, bytes(32)), 3, 1)) == 3\n"
        "assert [batch.state(i).power[0] for i in (0, 1)] == [4, 9]\n"
    )
    env = {**os.environ, "AZTLAN_ENGINE": "auto"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert done.stderr.count("the kernel is not built here, so games are played by the Python engine") == 1


def test_the_board_of_a_batch_is_the_usual_one_unless_another_is_given():
    assert Batch(2, SEEDS).board is load_board()
