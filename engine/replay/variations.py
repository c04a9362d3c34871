"""Positions that could have been: a record up to some action, then others. The arena and browsers use it."""

from collections.abc import Sequence
from typing import Any, Final

from engine.errors import EngineError, IllegalActionError
from engine.events import events
from engine.record import Record, board_of, check_rules
from engine.replay.frames import OPEN, Frame, Lens
from engine.state import State

MOST_ACTIONS: Final = 600
"""More than any game has."""


class VariationError(EngineError):
    """An action of a variation cannot be played."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(number, reason)
        self.number, self.reason = number, reason

    def __str__(self) -> str:
        return f"action {self.number}: {self.reason}"


def play_variation(record: Record, number: int, actions: Sequence[int]) -> State:
    """Return the position after so many actions of a record, and then these."""
    state = _start(record)
    for action in record.actions[:number]:
        state.apply(action)
    for at, action in enumerate(actions, 1):
        _apply(state, at, action)
    return state


def show_variation(record: Record, number: int, actions: Sequence[int]) -> dict[str, Any]:
    """Return the frames of a variation, the first with the whole position, and what is legal at its end."""
    state, lens = _start(record), Lens(OPEN)
    state.log_events()
    shown = _see(lens, state, 0)[0]
    for action in record.actions[:number]:
        state.apply(action)
        shown = _see(lens, state, shown)[0]
    base: Frame = {"step": lens.steps, "seat": -1, "events": [], "set": dict(lens.seen)}
    if lens.sub:
        base["sub"] = lens.sub
    frames, ends = [base], [0]
    for at, action in enumerate(actions, 1):
        _apply(state, at, action)
        shown, new = _see(lens, state, shown)
        frames += new
        ends.append(len(frames) - 1)
    over = state.is_over()
    return {
        "number": number,
        "frames": frames,
        "ends": ends,
        "seat": state.to_act(),
        "legal": [] if over else list(state.legal_actions()),
        "played": record.actions[number] if number < len(record.actions) and not actions else None,
        "over": over,
    }


def _start(record: Record) -> State:
    check_rules(record)
    return State.new(len(record.seats), record.seed, record.ruleset, board_of(record))


def _apply(state: State, at: int, action: int) -> None:
    try:
        state.apply(action)
    except IllegalActionError as error:
        raise VariationError(at, str(error)) from None


def _see(lens: Lens, state: State, shown: int) -> tuple[int, list[Frame]]:
    log = state.log or []
    return len(log), lens.see(state, events(log[shown:]))
