"""The checks of a record, one by one, so that a reader sees what was compared and what differs.

A check is {"name", "state", ...}, where the state is `ok`, `bad` or `skipped`, and the rest are the values of
the sentence that a page makes of it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from engine import cards
from engine.errors import EngineError, IllegalActionError, RecordError
from engine.randomness import Stream
from engine.record import CHECK_BYTES, Record, Recorder, board_of, check_rules, load_record
from engine.replay.views import frames_of
from engine.state import State

Check = dict[str, Any]
Tell = Callable[[int, int], object] | None
NAMES = ("record", "seed", "start", "actions", "fingerprints", "result", "replay")
TOLD_EVERY = 25


def check_record(text: str, expected: dict[str, Any], shown: str = "", tell: Tell = None) -> list[Check]:
    """Check a record against what the arena says of the match.

    `expected` has the `commitment` to the seed, and by seat `scores`, `placements` and whether it failed
    (`faults`). `shown` are the frames of the open view, as the viewer reads them.
    """
    checks: list[Check] = []
    try:
        record = load_record(text.encode())
        check_rules(record)
        start = State.new(len(record.seats), record.seed, record.ruleset, _board(record))
    except EngineError as error:
        return _rest([{"name": "record", "state": "bad", "why": str(error)}])
    frames = [json.loads(line) for line in shown.splitlines()[1:]]
    checks.append(
        {"name": "record", "state": "ok", "actions": len(record.actions), "seats": len(record.seats)}
    )
    checks += [check_seed(record, expected), check_start(record, frames)]
    recorder = Recorder(start, record.seats)
    checks.append(_check_actions(record, recorder, tell))
    checks.append(_check_fingerprints(record, recorder))
    if checks[-2]["state"] == "bad":
        return _rest(checks)
    checks.append(check_result(start, expected))
    return _rest([*checks, *([_check_frames(record, frames)] if _is_sound(checks) else [])])


def _board(record: Record) -> Any:
    board = board_of(record)
    if board.hash != record.board_hash:
        raise RecordError("board_hash", f"the board {record.board_id!r} is not the one that was played on")
    return board


def _rest(checks: list[Check]) -> list[Check]:
    """Add the checks that no longer make sense after one that failed."""
    done = {check["name"] for check in checks}
    return [*checks, *({"name": name, "state": "skipped"} for name in NAMES if name not in done)]


def _is_sound(checks: list[Check]) -> bool:
    return all(check["state"] == "ok" for check in checks if check["name"] in ("actions", "fingerprints"))


def check_seed(record: Record, expected: dict[str, Any]) -> Check:
    """Whether the seed is the one that was promised before the match."""
    found, promised = hashlib.sha256(record.seed).hexdigest(), expected.get("commitment")
    state = "ok" if found == promised else "bad"
    return {"name": "seed", "state": state, "found": found, "promised": promised}


def check_start(record: Record, frames: list[dict[str, Any]]) -> Check:
    """Whether the first turn order and the cards in the order of the deck follow from the seed."""
    stack = Stream(record.seed, "stack").shuffled(list(range(len(record.seats))))
    deck = Stream(record.seed, "deck").shuffled(cards.FULL_DECK)
    events = [event for frame in frames for event in frame["events"]]
    order = next((event["seats"] for event in events if event["kind"] == "turn_order"), None)
    drawn = []
    for event in events:
        if event["kind"] == "deck_reshuffled":
            break
        if event["kind"] == "card_drawn":
            drawn.append(event["card"])
    is_ok = order == stack[::-1] and drawn == deck[: len(drawn)]
    return {"name": "start", "state": "ok" if is_ok else "bad", "cards": len(drawn)}


def _check_actions(record: Record, recorder: Recorder, tell: Tell) -> Check:
    """Play every action by the rules."""
    for number, action in enumerate(record.actions, 1):
        try:
            recorder.apply(action)
        except IllegalActionError as error:
            return {"name": "actions", "state": "bad", "step": number, "why": str(error)}
        if tell and (number % TOLD_EVERY == 0 or number == len(record.actions)):
            tell(number, len(record.actions))
    if not recorder.state.is_over():
        why = "the record ends before the game is over"
        return {"name": "actions", "state": "bad", "step": len(record.actions), "why": why}
    return {"name": "actions", "state": "ok", "count": len(record.actions)}


def _check_fingerprints(record: Record, recorder: Recorder) -> Check:
    """Compare the check bytes of every step that was played."""
    own, told = bytes(recorder.checks), record.checks
    steps = range(0, len(own), CHECK_BYTES)
    wrong = [
        at // CHECK_BYTES + 1 for at in steps if own[at : at + CHECK_BYTES] != told[at : at + CHECK_BYTES]
    ]
    if wrong:
        return {"name": "fingerprints", "state": "bad", "step": wrong[0]}
    if len(own) < len(told):
        return {"name": "fingerprints", "state": "skipped"}
    return {"name": "fingerprints", "state": "ok", "last": recorder.rolling.hex()[:16]}


def check_result(end: State, expected: dict[str, Any]) -> Check:
    """Compare points and places. Seats that failed are placed last, whatever the game says of them."""
    faults = expected.get("faults") or [False] * end.seats
    by_game = end.placements()
    upright = sorted((seat for seat in range(end.seats) if not faults[seat]), key=by_game.__getitem__)
    places = expected.get("placements") or []
    is_ok = expected.get("scores") == end.scores() and [_at(places, seat) for seat in upright] == [
        *range(1, len(upright) + 1)
    ]
    return {
        "name": "result", "state": "ok" if is_ok else "bad", "scores": end.scores(),
        "told": expected.get("scores"), "faults": sum(map(bool, faults)),
    }  # fmt: skip


def _at(places: Sequence[int], seat: int) -> int | None:
    return places[seat] if seat < len(places) else None


def _check_frames(record: Record, frames: list[dict[str, Any]]) -> Check:
    """Compare what the viewer shows with what follows from the actions; clocks are not part of it."""
    own = json.loads(json.dumps(list(frames_of(record, "open"))))
    for at, (mine, shown) in enumerate(zip(own, frames, strict=False)):
        told = {name: value for name, value in shown["set"].items() if name != "clocks"}
        if {**shown, "set": told} != mine:
            return {"name": "replay", "state": "bad", "step": at}
    if len(own) != len(frames):
        return {"name": "replay", "state": "bad", "step": min(len(own), len(frames))}
    return {"name": "replay", "state": "ok", "frames": len(own)}
