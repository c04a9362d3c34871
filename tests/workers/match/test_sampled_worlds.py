"""Positions played on in sampled worlds: what bots are told there, and what a host may claim of it."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import cards
from engine.events import CHOSE, DREW, REVEALED, events
from engine.observation import HIDDEN, observe, visible_actor
from engine.state import State
from proto.messages import DecisionRequest
from tests.workers.match.conftest import Friend, make_spec, villain
from workers.match.runner import play_on
from workers.match.sampled_worlds import WorldTask, play_through, sample_world
from workers.match.strict import DataError


def task_from(seats: int, seed: int, number: int) -> tuple[WorldTask, State]:
    """Play so many actions at random; the seat is one that may know whose decision is open."""
    spec, chance, actions = make_spec(seats, seed=seed), random.Random(seed), list[int]()
    state = State.new(seats, spec.seed, spec.ruleset, spec.load_board())
    state.log_events()
    while len(actions) < number:
        actions.append(chance.choice(state.legal_actions()))
        state.apply(actions[-1])
        if state.is_over():
            return task_from(seats, seed, number // 2)
    seat = chance.choice([one for one in range(seats) if visible_actor(state, one) != HIDDEN])
    seeds = tuple(chance.randbytes(32) for _ in range(2))
    return WorldTask(spec, tuple(actions), seat, seeds), state


positions = st.builds(task_from, st.integers(2, 4), st.integers(0, 10**6), st.integers(0, 200))


@given(positions)
def test_the_seat_cannot_tell_a_world_by_what_it_sees_or_was_told(position: tuple[WorldTask, State]) -> None:
    task, state = position
    world = sample_world(task, task.seeds[0])
    assert observe(world, task.seat) == observe(state, task.seat)
    told, really = ([one.seen_by(task.seat) for one in events(game.log or [])] for game in (world, state))
    assert told == really
    told, really = ([one.seen_by(-1) for one in events(game.log or [])] for game in (world, state))
    assert told == really, "in public, the same has happened"


@given(positions)
def test_what_a_seat_was_told_fits_what_it_holds_in_that_world(position: tuple[WorldTask, State]) -> None:
    task, state = position
    world = sample_world(task, task.seeds[0])
    for seat in range(state.seats):
        drawn = [0] * cards.KINDS
        for event in world.log or []:
            if event[:2] == (DREW, seat):
                drawn[event[2]] += 1
        hand = world.hands[seat * cards.KINDS : (seat + 1) * cards.KINDS]
        assert all(held <= ever for held, ever in zip(hand, drawn, strict=True))
        really = [event for event in state.log or [] if event[:2] == (DREW, seat)]
        assert sum(drawn) == len(really)
        chosen = [event[2] for event in world.log or [] if event[:2] == (CHOSE, seat)]
        shown = [event[2] for event in world.log or [] if event[:2] == (REVEALED, seat)]
        assert chosen[: len(shown)] == shown
        if world.power[seat]:
            assert chosen[-1] == world.power[seat]


def test_a_task_is_the_same_after_a_journey_as_json() -> None:
    task, _state = task_from(3, 5, 40)
    assert WorldTask.from_data(task.to_data()) == task
    assert sample_world(task, task.seeds[0]).log == sample_world(task, task.seeds[0]).log


@pytest.mark.parametrize(
    "bad", [{"seat": 3}, {"seat": -1}, {"seeds": ["zz"]}, {"actions": ["x"]}, {"seeds": ["00" * 32] * 21}]
)
def test_a_task_that_makes_no_sense_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(DataError):
        WorldTask.from_data({**task_from(3, 5, 40)[0].to_data(), **bad})


async def test_bots_play_on_and_are_told_all_that_happened(tmp_path: Path) -> None:
    task, _state = task_from(2, 7, 60)
    seed = task.seeds[0]
    bots = [Friend(seed=seat) for seat in range(2)]
    world = sample_world(task, seed)
    before = len(world.log or [])
    played = await play_on(task.game_spec(seed), bots, world, Friend(), tmp_path)
    assert (played.faults, played.stood_in) == ({}, [])
    end = play_through(task, seed, played.actions)
    assert end.placements() == world.placements()
    for bot in bots:
        first = next(message for message in bot.heard if isinstance(message, DecisionRequest))
        assert len(first.events) >= before


async def test_a_bot_that_cannot_go_on_is_replaced_and_named(tmp_path: Path) -> None:
    task, _state = task_from(2, 9, 60)
    seed = task.seeds[0]
    played = await play_on(
        task.game_spec(seed),
        [Friend(), villain("exit_at_once")],
        sample_world(task, seed),
        Friend(),
        tmp_path,
    )
    assert (played.stood_in, played.faults) == ([1], {})
    assert play_through(task, seed, played.actions).is_over()


def test_a_game_that_did_not_happen_like_this_is_refused() -> None:
    task, _state = task_from(2, 9, 60)
    with pytest.raises(DataError, match="not over"):
        play_through(task, task.seeds[0], [])
    with pytest.raises(DataError, match="illegal"):
        play_through(task, task.seeds[0], [9000])
