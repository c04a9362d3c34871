"""Explanations: judged over what a seat knew, the same for everybody, and adding up."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.analysis.advice import champions_choice
from arena.analysis.decisions import judge_decision
from arena.analysis.explaining import explain, unpack
from arena.analysis.knowledge import dice_for, values
from arena.analysis.positions import position_after
from arena.matches.stored_records import pack_record
from engine.kernel import Batch
from engine.observation import determinize, observe
from engine.record import Record
from engine.state import State
from tests.arena.replays.test_chances import random_record


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_even_share_luck_and_play_add_up_to_the_result(seats: int) -> None:
    record = random_record(seats)
    told = unpack(explain(pack_record(record), 4, "x"))
    for part in told["split"]:
        assert part["even"] + part["luck"] + part["play"] == part["result"]
    assert abs(sum(part["luck"] for part in told["split"])) <= seats  # zero, but for rounding
    assert max(part["result"] for part in told["split"]) == 1000
    last = told["curve"][-1]
    assert last["own"] == last["open"] == [part["result"] for part in told["split"]]


def test_the_same_seed_explains_the_same_and_another_one_differs() -> None:
    stored = pack_record(random_record(3))
    assert explain(stored, 4, "x") == explain(stored, 4, "x")
    assert explain(stored, 4, "x") != explain(stored, 4, "y")


def test_every_decision_with_a_choice_is_judged_and_no_other() -> None:
    record = random_record(2)
    told = unpack(explain(pack_record(record), 4, "x"))
    decisions = {one["number"]: one for one in told["decisions"]}
    state = State.new(2, record.seed, record.ruleset)
    for number, action in enumerate(record.actions):
        legal = state.legal_actions()
        assert (number in decisions) == (len(legal) > 1)
        if number in decisions:
            one = decisions[number]
            assert (one["seat"], one["chosen"]) == (state.to_act(), action)
            assert {tried[0] for tried in one["tried"]} <= set(legal)
            assert one["loss"] >= 0
            assert action in [tried[0] for tried in one["tried"]]
        state.apply(action)


@settings(deadline=None, max_examples=15)
@given(st.integers(2, 4), st.integers(0, 10_000), st.integers(1, 150))
def test_a_decision_is_judged_by_nothing_that_the_seat_could_not_know(
    seats: int, seed: int, length: int
) -> None:
    """In any other world that the seat cannot tell from the real one, the judgement is the same."""
    chance = random.Random(seed)
    state = State.new(seats, chance.randbytes(32))
    for _ in range(length):
        state.apply(chance.choice(state.legal_actions()))
    legal = state.legal_actions()
    seat = state.to_act()
    other = determinize(observe(state, seat), chance, state.board, state.rules)
    if len(legal) < 2 or other.to_act() != seat:
        return
    chosen = chance.choice(legal)
    assert observe(other, seat) == observe(state, seat)
    assert judge_decision(state, chosen, 4, dice_for("x")) == judge_decision(other, chosen, 4, dice_for("x"))


def test_values_of_a_game_are_shared_between_its_seats() -> None:
    for seats in (2, 3, 4):
        state = State.new(seats, bytes(32))
        assert values(Batch.of([state])).sum() == pytest.approx(seats / 2)


def test_champion_is_asked_by_what_the_seat_knew_and_always_answers_the_same(record: Record) -> None:
    stored = pack_record(record)
    number = next(n for n in range(60, 120) if len(position_after(stored, n, ()).legal_actions()) > 1)
    choice = champions_choice(stored, number)
    assert choice in position_after(stored, number, ()).legal_actions()
    assert choice == champions_choice(stored, number)


@pytest.fixture
def record() -> Record:
    return random_record(3)
