"""The vector environment: many games at once, the very games that the engine plays, and nothing that is hidden."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from pettingzoo.test import parallel_api_test

from aztlan.rl import ENCODING, GymVectorEnv, VectorEnv, encode, parallel_env
from engine import State, determinize, encoding, load_board, observe
from engine.errors import IllegalActionError
from engine.kernel import Batch, BatchActionError, BatchError
from engine.observation import FIELDS
from tests.engine.random_games import positions, seeds, some

COUNT = 12


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("threads", [1, 3])
def test_every_game_is_the_one_that_the_engine_plays(seats, threads):
    env = VectorEnv(COUNT, seats, "german", threads=threads)
    env.reset(seed=5)
    first = env.batch()
    states, ended = [first.state(i) for i in range(COUNT)], 0
    for number in range(450):
        for i, state in enumerate(states):
            seat = state.to_act()
            assert env.seat[i] == seat
            assert env.observation[i].tolist() == encode(observe(state, seat), state.board)
            assert {env.actions[k] for k in np.flatnonzero(env.action_mask[i])} == set(state.legal_actions())
        chosen = env.sample(number)
        env.step(chosen)
        for i, state in enumerate(states):
            actor = state.to_act()
            state.apply(env.actions[chosen[i]])
            assert env.done[i] == state.is_over()
            places = state.placements()
            wanted = [(seats + 1 - 2 * place) / (seats - 1) if state.is_over() else 0 for place in places]
            assert env.reward[i].tolist() == pytest.approx(wanted)
            if state.is_over():
                assert env.final_observation[i].tolist() == encode(observe(state, actor), state.board)
                states[i], ended = env.batch().state(i), ended + 1
    env.close()
    assert ended >= COUNT


def test_the_arrays_stay_the_same_and_seeds_settle_everything():
    runs = []
    for threads in (1, 2):
        env = VectorEnv(8, 3, threads=threads)
        arrays = (env.observation, env.action_mask, env.reward, env.done, env.seat)
        env.reset(seed=[3, 1, 4, 1, 5, 9, 2, 6])
        for number in range(400):
            env.step(env.sample(number))
        assert all(
            a is b
            for a, b in zip(
                arrays, (env.observation, env.action_mask, env.reward, env.done, env.seat), strict=True
            )
        )
        runs.append(env.observation.copy())
        assert not np.array_equal(env.observation[0], env.observation[1])
        env.close()
    assert np.array_equal(*runs)


def test_games_of_the_same_seed_are_the_same_wherever_they_stand():
    env = VectorEnv(4, 2)
    env.reset(seed=[7, 8, 7, 8])
    assert np.array_equal(env.observation[0], env.observation[2])
    assert env.batch().fingerprint(1) == env.batch().fingerprint(3) != env.batch().fingerprint(0)


def test_an_illegal_index_names_the_game_and_no_game_moves():
    env = VectorEnv(5, 4)
    before, chosen = env.observation.copy(), env.sample(1)
    chosen[3] = 0
    with pytest.raises(
        BatchActionError, match="game 3: action 0 refused: Choosing: the action must be a power card"
    ):
        env.step(chosen)
    chosen[3] = 10**9
    with pytest.raises(BatchActionError, match=r"game 3: .* not one of the board's actions"):
        env.step(chosen)
    assert np.array_equal(env.observation, before)
    assert all(env.batch().state(i).power == (0, 0, 0, 0) for i in range(5))


@pytest.mark.parametrize(
    "chosen", [None, 1, "12345", [1.0] * 5, [1] * 4, [[1]] * 5, np.zeros(6, int)], ids=repr
)
def test_actions_of_a_wrong_shape_or_type_are_one_clear_error(chosen):
    with pytest.raises(BatchError, match="actions are 5 whole numbers, one for each game"):
        VectorEnv(5).step(chosen)


def test_a_wrong_number_of_seeds_or_games_is_one_clear_error():
    with pytest.raises(BatchError, match="2 seeds were given for 3 games"):
        VectorEnv(3).reset(seed=[1, 2])
    with pytest.raises(BatchError, match="must be 1 or more"):
        VectorEnv(0)


@pytest.mark.parametrize("threads", [2, 4])
def test_whichever_thread_meets_an_illegal_index_no_game_moves_and_the_next_step_is_right(threads):
    env = VectorEnv(8, 2, threads=threads)
    for game in (0, 3, 7):
        before, chosen = env.observation.copy(), env.sample(game)
        wrong = chosen.copy()
        wrong[game] = 0
        with pytest.raises(BatchActionError, match=f"game {game}: action 0 refused"):
            env.step(wrong)
        assert np.array_equal(env.observation, before)
    env.step(chosen)
    assert not np.array_equal(env.observation, before)
    env.close()
    env.close()
    env.step(env.sample(5))  # what is closed plays on with the one thread that is left
    assert sum(env.batch().state(i).power.count(0) for i in range(8)) == 0


# The encoding

SETS = {"used": 6, "settled": 30, "claims": 30, "placed": 30}


@some
@given(positions())
def test_every_field_of_an_observation_is_in_its_part_of_the_encoding(state):
    board, seat = load_board(), max(state.to_act(), 0)
    seen, at = observe(state, seat), 0
    numbers = encode(seen, board)
    parts = encoding.parts(board, state.seats)
    assert {name for name, _ in parts} == set(FIELDS)
    for name, size in parts:
        value, found = getattr(seen, name), numbers[at : at + size]
        at += size
        if name in SETS:
            masks = value if isinstance(value, list) else [value]
            wanted = [mask >> i & 1 for mask in masks for i in range(SETS[name])]
        elif name == "spared":
            wanted = [value >> i & 1 for i in range(state.seats)]
        elif name == "rafts":
            wanted = [int(64 * a + b in value) for a, b in board.shore_pairs]
        else:
            wanted = value if isinstance(value, list) else [value]
        assert found == wanted, name
    assert at == len(numbers) == encoding.length(board, state.seats)


@settings(max_examples=150, deadline=None)
@given(positions(), seeds)
def test_changing_what_is_hidden_changes_no_byte(state, seed):
    """Another world that the seat cannot tell apart has the same numbers and the same mask."""
    seat = state.to_act()
    if seat < 0:
        return
    import random

    other = determinize(observe(state, seat), random.Random(seed), state.board, state.rules)
    rows = []
    for world in (state, other):
        batch = Batch.of([world])
        row = np.zeros((1, batch.observation_size), np.int16)
        batch.observe_into(row)
        rows.append((row.tobytes(), bytes(batch.legal_mask())))
    assert rows[0] == rows[1]


@settings(max_examples=100, deadline=None)
@given(positions(), st.integers(0, 3), seeds)
def test_a_seat_that_is_not_asked_cannot_see_what_others_hold_either(state, seat, seed):
    """Others' hands are swapped with the deck, and face-down cards with unused ones, behind this seat's back."""
    import random

    seat, rng = seat % state.seats, random.Random(seed)
    other = state.clone()
    hide_differently(other, seat, rng)
    rows = []
    for world in (state, other):
        batch = Batch.of([world])
        row = np.zeros((1, batch.observation_size), np.int16)
        batch.observe_into(row, seat)
        rows.append(row.tobytes())
    assert rows[0] == rows[1]


def hide_differently(state: State, seat: int, rng) -> None:
    others = [one for one in range(state.seats) if one != seat]
    pile = list(state.deck[state.deck_at :])
    sizes = {one: sum(state.hands[8 * one : 8 * one + 8]) for one in others}
    for one in others:
        pile += [kind for kind in range(8) for _ in range(state.hands[8 * one + kind])]
    rng.shuffle(pile)
    for one in others:
        drawn, pile = pile[: sizes[one]], pile[sizes[one] :]
        state.hands[8 * one : 8 * one + 8] = [drawn.count(kind) for kind in range(8)]
    state.deck = (*state.deck[: state.deck_at], *pile)
    if state.phase < 2:
        power, used = list(state.power), list(state.used)
        for one in others:
            if power[one]:
                used[one] &= ~(1 << (power[one] - 4))
                power[one] = rng.choice([4 + i for i in range(6) if not used[one] >> i & 1])
                used[one] |= 1 << (power[one] - 4)
        state.power, state.used = tuple(power), tuple(used)


def test_the_version_of_the_encoding_is_pinned_to_its_layout():
    """Whoever changes the layout raises the version: weights are made for one of them."""
    assert (ENCODING, encoding.parts(load_board(), 4)) == (
        1,
        (
            *[(name, 1) for name in ("seat", "seats", "age", "phase", "step", "to_act", "own_power", "deck_size")],
            *[(name, 1) for name in ("battle", "battle_by", "pending", "raft_all")],
            ("order", 4), ("side_of", 4), ("pawns", 120), ("reserve", 4), ("removed", 4), ("pool", 4), ("scores", 4),
            ("arrivals", 4), ("power", 4), ("chosen", 4), ("hand", 8), ("hand_sizes", 4), ("discard", 8), ("used", 24),
            ("settled", 30), ("claims", 120), ("placed", 120), ("spared", 4), ("rafts", 40),
        ),
    )  # fmt: skip


# The other faces


def test_the_face_of_gymnasium_keeps_its_contract():
    env = GymVectorEnv(6, seats=2)
    seen, infos = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    ended = 0
    for number in range(500):
        actions = env.games.sample(number)
        assert env.action_space.contains(actions)
        seen, reward, done, cut, infos = env.step(actions)
        assert env.observation_space.contains(seen)
        assert reward.shape == done.shape == cut.shape == (6,)
        assert not cut.any()
        assert ("final_obs" in infos) == bool(done.any())
        assert set(np.abs(reward[done])) <= {1.0}
        assert not reward[~done].any()
        ended += int(done.sum())
    env.close()
    assert ended > 3


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_parallel_face_passes_the_test_of_pettingzoo(seats):
    parallel_api_test(parallel_env(seats=seats), num_cycles=400)


def test_in_the_parallel_face_power_cards_are_chosen_at_once_and_others_are_not_heard():
    game = parallel_env(seats=3)
    seen, _ = game.reset(seed=4)
    assert all(one["action_mask"].sum() == 6 for one in seen.values())
    seen, *_ = game.step(dict.fromkeys(game.agents, 3))
    assert sum(one["action_mask"].any() for one in seen.values()) == 1
    assert [one["observation"][3] for one in seen.values()] == [1, 1, 1]
    with pytest.raises(IllegalActionError):
        game.step(dict.fromkeys(game.agents, 0))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork_the_child_plays_on_alone():
    """The threads stay with the parent, and the child does not wait for them."""
    env = VectorEnv(64, 3, threads=3)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        env.step(env.sample(1))
        env.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    env.step(env.sample(1))
    env.close()


def test_two_vectors_may_be_stepped_by_two_threads_at_once():
    envs = [VectorEnv(48, 2, threads=2) for _ in range(2)]
    alone = VectorEnv(48, 2)

    def play(env):
        env.reset(seed=7)
        for number in range(300):
            env.step(env.sample(number))
        return env.observation.copy()

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(play, envs))
    assert all(np.array_equal(one, play(alone)) for one in found)
