"""The JSON-lines form of the protocol, for bots in any language: one object per line (docs/json-lines.md)."""

import json
from dataclasses import asdict
from typing import Any

from aztlan.conversation import NO_ACTION
from engine.board import Board
from engine.events import Event, event
from engine.observation import FIELDS, Observation
from proto.messages import (
    MAX_BOT_NAME,
    PROTOCOL_VERSION,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    HostMessage,
    MatchStart,
    Strike,
)

LONGEST_LINE = 64 * 1024
"""In bytes, including the line feed."""
FIRST_PHASE = 1
"""The protocol numbers the phases from 1, the engine from 0."""


class LineError(Exception):
    """A line that is not a valid message; the text says what was expected."""


def write_line(message: HostMessage) -> bytes:
    """Return a host message as one line. Pings have no JSON form: the bridge answers them itself."""
    return json.dumps(_data(message), separators=(",", ":")).encode() + b"\n"


def _data(message: HostMessage) -> dict[str, Any]:
    match message:
        case DecisionRequest():
            return {
                "type": "decision_request",
                "request_id": message.request_id,
                "observation": _observation(message.observation),
                "legal_actions": list(message.legal_actions),
                "events": [_event(event(one)) for one in message.events],
                "time_left_ms": message.time_left_ms,
                "time_limit_ms": message.time_limit_ms,
            }
        case MatchStart():
            return {
                "type": "match_start",
                "match_id": message.match_id,
                "seat": message.seat,
                "seats": message.seats,
                "ruleset": message.ruleset,
                "board": _board(message.board),
                "clocks": asdict(message.clocks),
                "seed_commitment": message.seed_commitment,
            }
        case Strike():
            return {"type": "strike", **asdict(message), "kind": message.kind.name.lower()}
        case GameOver():
            return {
                "type": "game_over",
                "placements": list(message.placements),
                "scores": list(message.scores),
                "seed": message.seed.hex(),
            }
    raise TypeError(f"{type(message).__name__} has no JSON form")


def _observation(seen: Observation) -> dict[str, Any]:
    data = {name: getattr(seen, name) for name in FIELDS}
    return {**data, "phase": seen.phase + FIRST_PHASE}


def _event(one: Event) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": one.kind, **one.data}
    if "phase" in data:
        data["phase"] += FIRST_PHASE
    return data


def _board(board: Board) -> dict[str, Any]:
    return {
        "id": board.id,
        "hash": board.hash,
        "territories": board.ids,
        "names": board.names,
        "types": board.types,
        "type_of": board.type_of,
        "neighbours": board.neighbours,
        "lakes": board.lakes,
        "card_types": board.card_types,
        "card_values": board.card_values,
    }


def read_line(line: bytes) -> Hello | Decision:
    """Parse a line from a program. The bytes are untrusted: anything but a message raises LineError."""
    if len(line) > LONGEST_LINE:
        raise LineError(f"a line may have at most {LONGEST_LINE} bytes")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise LineError("the line is not JSON in UTF-8") from None
    if not isinstance(data, dict):
        raise LineError("a line must be a JSON object")
    if data.get("type") == "hello":
        return Hello(PROTOCOL_VERSION, _text(data, "name")[:MAX_BOT_NAME])
    if data.get("type") != "decision":
        raise LineError('"type" must be "hello" or "decision"')
    request_id, action = _number(data, "request_id"), _number(data, "action")
    # A number too large for the wire is neither a request id nor a legal action; the host reports that.
    return Decision(_fitting(request_id), _fitting(action), _text(data, "note"))


def _number(data: dict[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise LineError(f'"{name}" must be a whole number')
    return value


def _fitting(number: int) -> int:
    return number if 0 <= number <= NO_ACTION else NO_ACTION


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise LineError(f'"{name}" must be a string')
    # JSON can escape a lone surrogate; protobuf strings cannot hold one.
    return value.encode(errors="replace").decode()
