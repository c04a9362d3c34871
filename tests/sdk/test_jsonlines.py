"""The JSON lines: all that a host says, for any language; and nothing that a program says is trusted."""

import contextlib
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aztlan.conversation import NO_ACTION
from aztlan.jsonlines import LONGEST_LINE, LineError, read_line, write_line
from engine import load_board, observe, ruleset
from engine.events import event
from engine.observation import FIELDS
from engine.state import State
from proto.messages import (
    Clocks,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    MatchStart,
    Strike,
    StrikeKind,
)


def written(message):
    line = write_line(message)
    assert line.count(b"\n") == 1
    return json.loads(line)


def test_a_match_start_holds_the_board_by_name_and_number():
    board = load_board()
    start = MatchStart("m1", 2, 4, ruleset().options(), board, Clocks(1, 2, 3, 4), "ab")
    data = written(start)
    assert data["type"] == "match_start"
    assert data["board"]["neighbours"][0] == board.neighbours[0]
    assert data["board"]["territories"][:2] == ["t01", "t02"]
    assert data["clocks"] == {"startup_ms": 1, "bank_ms": 2, "increment_ms": 3, "decision_ms": 4}
    assert data["ruleset"]["tie"] == "lowest"


def test_a_decision_request_holds_the_whole_observation_and_named_events():
    state = State.new(3, bytes(32))
    state.log_events()
    data = written(DecisionRequest(4, observe(state, 1), state.legal_actions(1), state.log, 900, 800))
    assert set(data["observation"]) == set(FIELDS)
    assert data["legal_actions"] == [4, 5, 6, 7, 8, 9]
    assert data["events"][0] == {"kind": "age_began", "age": 1}
    assert (data["request_id"], data["time_left_ms"], data["time_limit_ms"]) == (4, 900, 800)


def test_strikes_and_the_end_are_told():
    assert written(Strike(1, StrikeKind.ILLEGAL_ACTION, "no", 0, 1, 3))["kind"] == "illegal_action"
    assert written(GameOver([2, 1], [5, 9], b"\1\2")) == {
        "type": "game_over",
        "placements": [2, 1],
        "scores": [5, 9],
        "seed": "0102",
    }


def test_hellos_and_decisions_are_read():
    assert read_line(b'{"type":"hello","name":"x"}\n') == Hello(1, "x")
    assert read_line(b'{"type":"hello"}\n') == Hello(1, "")
    decision = read_line(b'{"type":"decision","request_id":3,"action":64,"note":"hm"}\n')
    assert decision == Decision(3, 64, "hm")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"place t01\n", "not JSON"),
        (b"\xff\xfe\n", "not JSON"),
        (b"[" * 60000, "not JSON"),
        (b"[1]\n", "must be a JSON object"),
        (b'{"action":64}\n', '"type" must be'),
        (b'{"type":"decision","request_id":1}\n', '"action" must be a whole number'),
        (b'{"type":"decision","request_id":1,"action":"place t01"}\n', '"action" must be a whole number'),
        (b'{"type":"decision","request_id":1,"action":true}\n', '"action" must be a whole number'),
        (b'{"type":"decision","request_id":1,"action":64,"note":5}\n', '"note" must be a string'),
        (b'"' + b"a" * LONGEST_LINE + b'"\n', "at most 65536 bytes"),
    ],
)
def test_a_line_that_is_no_message_is_refused_with_a_reason(line, problem):
    with pytest.raises(LineError, match=problem):
        read_line(line)


@pytest.mark.parametrize("action", [-1, 2**32, 10**400])
def test_a_number_that_no_message_can_carry_is_left_for_the_host_to_refuse(action):
    line = json.dumps({"type": "decision", "request_id": 1, "action": action}).encode()
    assert read_line(line).action == NO_ACTION


def test_half_a_character_in_a_note_does_no_harm():
    assert read_line(rb'{"type":"decision","request_id":1,"action":0,"note":"\ud800"}').note == "?"


@given(st.binary(max_size=300))
def test_no_bytes_at_all_raise_anything_but_a_line_error(line):
    with contextlib.suppress(LineError):
        read_line(line)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    ),
    st.sampled_from(["hello", "decision"]),
    st.sampled_from(["name", "action", "request_id", "note"]),
)
def test_no_json_at_all_raises_anything_but_a_line_error(value, kind, field):
    data = {"type": kind, "request_id": 1, "action": 2, field: value}
    try:
        message = read_line(json.dumps(data).encode())
    except LineError:
        return
    assert isinstance(message, Hello | Decision)


PAGE = (Path(__file__).parents[2] / "docs/json-lines.md").read_text()
PHASES = {"choosing": 1, "development": 2, "conflict": 3, "scoring": 4, "over": 5}


def requests_of_a_game(seats, seed):
    """Every decision request of a game played at random, as JSON, and the engine's name of its phase."""
    from engine.position import PHASE_NAMES

    state, dice, told = State.new(seats, bytes([seed]) * 32), random.Random(seed), 0
    state.log_events()
    while not state.is_over():
        seat, phase = state.to_act(), PHASE_NAMES[state.phase]
        news, told = state.log[told:], len(state.log)
        yield phase, written(DecisionRequest(1, observe(state, seat), state.legal_actions(seat), news, 9, 9))
        state.apply(dice.choice(state.legal_actions(seat)))
    yield "over", written(DecisionRequest(1, observe(state, 0), [], state.log[told:], 9, 9))


@pytest.mark.parametrize("seats", [2, 4])
def test_phases_are_numbered_from_1_to_5_as_the_protocol_says(seats):
    met = {phase: data["observation"]["phase"] for phase, data in requests_of_a_game(seats, 1)}
    assert met.items() <= PHASES.items()
    assert {"choosing", "development", "over"} <= set(met)
    for name, number in PHASES.items():
        assert f"{number} {name}" in PAGE


def test_the_phase_of_an_event_has_the_number_of_the_observation():
    began = [
        (one["phase"], data["observation"]["phase"])
        for _, data in requests_of_a_game(3, 2)
        for one in data["events"][-1:]
        if one["kind"] == "phase_began"
    ]
    assert began
    assert all(event == observation for event, observation in began)


def rows(section):
    """The table of a section of the page: the first cell's name, and the names in the second."""
    text = PAGE.split(f"## {section}\n")[1].split("\n## ")[0]
    found = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", text, re.MULTILINE)
    return {name: re.findall(r"`(\w+)`", keys) for name, keys in found}


def test_the_page_lists_the_keys_of_every_event():
    from engine import events

    kinds = [getattr(events, name) for name in vars(events) if name.isupper() and name != "HIDDEN"]
    numbers = [number for number in kinds if isinstance(number, int)]
    shapes = [event((number, *range(9))) for number in sorted(numbers)]
    assert rows("Events") == {one.kind: list(one.data) for one in shapes}


def test_the_page_lists_the_keys_of_every_message():
    board, state = load_board(), State.new(3, bytes(32))
    start = written(MatchStart("m1", 2, 4, ruleset().options(), board, Clocks(1, 2, 3, 4), "ab"))
    request = written(DecisionRequest(4, observe(state, 1), state.legal_actions(1), [], 900, 800))
    strike = written(Strike(1, StrikeKind.TIME, "late", 0, 1, 3))
    over = written(GameOver([1, 2], [9, 5], bytes(32)))
    messages = {one.pop("type"): list(one) for one in (start, request, strike, over)}
    assert rows("Messages") == messages
    assert rows("Parts") == {name: list(start[name]) for name in ("board", "clocks")}
    assert [kind.name.lower() for kind in StrikeKind] == rows("Strikes")["kind"]


def test_the_observation_has_the_fields_that_the_protocols_page_lists():
    page = (Path(__file__).parents[2] / "docs/protocol.md").read_text()
    section = page.split("### Observation\n")[1].split("\n### ")[0]
    rows = re.findall(r"^\| \d+ \| `(\w+)` \| [^|]+ \| (.*)", section, re.MULTILINE)
    # A retired field stays in the contract of gRPC, where it is always 0; JSON lines do without it.
    assert [name for name, text in rows if not text.startswith("Always 0:")] == list(FIELDS)
