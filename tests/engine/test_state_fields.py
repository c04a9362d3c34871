"""A field of the state that is left out somewhere is named: by the copy, the fingerprint, what seats see, or the codec.

A new field appears here by itself, since the fields are read from `Position`. Whoever leaves one out on
purpose says so below, with the reason.
"""

import ast
import random
from dataclasses import fields, replace
from typing import Any

import pytest

from engine import State, determinize, observe
from engine.form import HERE
from engine.observation import FIELDS, Observation
from engine.record import fingerprint
from engine.replay.frames import _SHOWN
from engine.replay.visible_table import FIELDS as TABLE_FIELDS
from engine.replay.visible_table import VisibleTable
from proto.codec_game import LISTS, NUMBERS, RETIRED, ObservationWriter, pb, read_observation

SAME_ALL_GAME = {"board", "rules", "seats", "seed"}
NOT_COPIED = {"log": "a clone collects no events"}
NOT_IN_THE_FINGERPRINT = {
    "present": "follows from pawns",
    "alone": "follows from power and pawns when the conflicts begin",
    "tied": "follows from power and pawns when the conflicts begin",
    "log": "says how the state came about",
}
NOT_OBSERVED = {
    "present": "follows from pawns",
    "alone": "follows from power and pawns",
    "tied": "follows from power and pawns",
    "arrivals": "only the order of the counters matters",
    "reshuffles": "says nothing about what follows",
    "deck": "its order is secret; its size is deck_at's",
    "log": "events are told apart from observations",
}
TAKEN_OVER = (
    "reserve", "removed", "pool", "placed", "scores", "arrivals", "settled", "claims", "spared", "pending",
    "rafts", "raft_all",
)  # fmt: skip
"""What a sampled state copies from an observation as it is."""
NOT_SHOWN = {
    "seat": "the view itself",
    "seats": "in the header of the frames",
    "step": "a frame shows whose decision it is instead",
    "pawns": "shown sparsely",
    "power": "shown with what is face down",
    "chosen": "shown in power",
    "own_power": "shown in power",
    "hand": "shown in hands",
    "settled": "shown as a list",
    "claims": "shown as lists",
    "spared": "only counts within a battle",
    "placed": "only counts within an age, for one edition",
}


def position_fields() -> list[str]:
    """Return the names of all attributes that a position sets on itself."""
    tree = ast.parse((HERE / "position.py").read_text())
    [one] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Position"]
    targets = [
        target
        for node in ast.walk(one)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return sorted(
        {
            target.attr
            for target in targets
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"
        }
    )


CHANGING = [name for name in position_fields() if name not in SAME_ALL_GAME]


def midgame() -> State:
    """A game in a battle, where most fields have values of their own."""
    for seed in range(200):
        state = State.new(4, bytes([seed]) * 32)
        chance = random.Random(seed)
        while not state.is_over():
            state.apply(chance.choice(state.legal_actions()))
            if state.age > 1 and state.battle >= 0:
                return state
    raise AssertionError("no game came to a battle with Sacred Games in hand")


def changed(value: Any) -> Any:
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [value[0] + 1, *value[1:]] if value else [1]
    if isinstance(value, tuple):
        return (value[0] + 1, *value[1:]) if value else (1,)
    return [(0, 1)]


def with_change(name: str) -> State:
    state = midgame()
    setattr(state, name, changed(getattr(state, name)))
    return state


@pytest.mark.parametrize("name", [name for name in CHANGING if name not in NOT_COPIED])
def test_a_clone_has_the_field_and_lists_of_its_own(name: str) -> None:
    state = with_change(name)
    value = getattr(state, name)
    copy = getattr(state.clone(), name)
    assert copy == value
    assert copy is not value or not isinstance(value, list)


@pytest.mark.parametrize("name", [name for name in CHANGING if name not in NOT_IN_THE_FINGERPRINT])
def test_the_fingerprint_shows_a_change_of_the_field(name: str) -> None:
    assert fingerprint(with_change(name)) != fingerprint(midgame())


@pytest.mark.parametrize("name", [name for name in CHANGING if name not in NOT_OBSERVED])
def test_some_seat_sees_a_change_of_the_field(name: str) -> None:
    before, after = midgame(), midgame()
    setattr(after, name, changed(getattr(before, name)) if name != "turn" else (before.turn + 1) % 4)
    assert [observe(after, seat) for seat in range(4)] != [observe(before, seat) for seat in range(4)]


@pytest.mark.parametrize("name", FIELDS)
def test_a_sampled_state_agrees_with_the_observed_field(name: str) -> None:
    state = midgame()
    seen = observe(state, state.to_act())
    sample = determinize(seen, random.Random(1), state.board, state.rules)
    assert getattr(observe(sample, seen.seat), name) == getattr(seen, name)


@pytest.mark.parametrize("name", TAKEN_OVER)
def test_a_sampled_state_takes_over_a_change_of_the_field(name: str) -> None:
    state = midgame()
    seen = observe(state, state.to_act())
    seen = replace(seen, **{name: changed(getattr(seen, name))})
    sample = determinize(seen, random.Random(1), state.board, state.rules)
    assert getattr(observe(sample, seen.seat), name) == getattr(seen, name)


@pytest.mark.parametrize("name", FIELDS)
def test_the_codec_carries_the_field(name: str) -> None:
    seen = observe(midgame(), 0)
    seen = replace(seen, **{name: changed(getattr(seen, name))})
    message = pb.Observation()
    ObservationWriter(message).write(seen)
    assert getattr(read_observation(message), name) == getattr(seen, name)


def test_the_contract_has_the_fields_of_an_observation_and_the_retired_ones() -> None:
    declared = {field.name for field in pb.Observation.DESCRIPTOR.fields}
    assert declared == {*FIELDS, *RETIRED}
    assert {*LISTS, *NUMBERS, "phase"} == set(FIELDS)
    assert {field.name for field in fields(Observation)} == set(FIELDS)


@pytest.mark.parametrize("name", TABLE_FIELDS)
def test_the_visible_table_has_the_field(name: str) -> None:
    state = State.new(3, bytes(32))
    assert hasattr(VisibleTable(state.board, state.seats), name)


@pytest.mark.parametrize("name", FIELDS)
def test_a_frame_shows_the_field_or_a_reason_is_given(name: str) -> None:
    assert (name in _SHOWN) != (name in NOT_SHOWN)
