"""Frames: a game as a spectator, a seat or an open table may see it, step by step.

    lens = Lens(view)                 # SPECTATOR, a seat, or OPEN
    for step in replay(record):
        frames = lens.see(step.state, step.events)

A frame is plain data: `step` (and `sub`), `seat` (who acted), `events`, and `set`, the parts of the position
that changed. A conflict's event also has its `powers`: [seat, card, pawns], the strongest first. Whoever
applies the frames in order has the position; nobody needs the rules for that. A lens for a seat or a
spectator reads nothing but `Event.seen_by` and who may be seen to act: it cannot show more.

Steps are counted as the public can count them. A decision that others may not know of (whether to play Sacred
Games or Great Tlatoani) makes no frame for them: what happens meanwhile comes with their next one. Views that
may know of it get frames of their own in between, numbered 1, 2, .. in `sub`.
"""

from collections.abc import Sequence
from typing import Any, Final

from engine import cards
from engine.events import Event
from engine.observation import HIDDEN, Observation, visible_actor
from engine.position import DEVELOPMENT, OVER
from engine.replay.powers import powers_in
from engine.replay.scenes import scenes
from engine.replay.visible_table import VisibleTable
from engine.state import State

SPECTATOR: Final = -1
OPEN: Final = -2

TableData = dict[str, Any]
Frame = dict[str, Any]

_SHOWN: Final = (
    "age",
    "phase",
    "to_act",
    "order",
    "side_of",
    "reserve",
    "removed",
    "pool",
    "scores",
    "arrivals",
    "used",
    "hand_sizes",
    "deck_size",
    "discard",
    "battle",
    "battle_by",
    "pending",
    "rafts",
    "raft_all",
)


class Lens:
    """One way to look at one game. It keeps what its viewer has seen so far."""

    def __init__(self, view: int = SPECTATOR, timed: bool = False) -> None:
        self.view = view
        self.knows_actor = True
        """Whether this view can tell that a decision is open, and whose it is."""
        self._used: dict[int, int] | None = {} if timed else None
        self.seen: TableData = {}
        self.steps = -1
        self.sub = 0
        self._tables: list[VisibleTable] = []
        self._extras: list[dict[str, Any]] = []
        """What is said of each event of the scene besides its own data."""
        self._news: list[Event] = []
        self._public_news: list[Event] = []

    def charge(self, seat: int, microseconds: int) -> None:
        """Count the time of the decision that was open, if this view knew of it: its clock would tell."""
        if self._used is not None and self.knows_actor:
            self._used[seat] = self._used.get(seat, 0) + microseconds

    def see(self, state: State, events: Sequence[Event]) -> list[Frame]:
        """Return the next frames; none where this view cannot tell that anything is being decided."""
        self._news += events
        self._public_news += events
        hidden = visible_actor(state, SPECTATOR) == HIDDEN and not state.is_over()
        self.knows_actor = not hidden or self.view in (OPEN, state.to_act())
        if not self.knows_actor:
            return []
        groups = scenes(self._news)
        self._news = []
        numbers = self._hidden_numbers(len(groups)) if hidden else self._public_numbers(len(groups))
        *before, last = zip(groups, numbers, strict=True)
        frames = [self._frame(*scene, self._position_after(state, scene[0])) for scene in before]
        now = self._position_after(state, last[0])
        now["to_act"] = state.to_act() if self.view == OPEN else visible_actor(state, self.view)
        if self._used is not None:
            now["clocks"] = [self._used.get(seat, 0) // 1000 for seat in range(state.seats)]
        return [*frames, self._frame(*last, now)]

    def _hidden_numbers(self, count: int) -> list[tuple[int, int]]:
        numbers = [(self.steps, self.sub + i) for i in range(1, count + 1)]
        self.sub += count
        return numbers

    def _public_numbers(self, count: int) -> list[tuple[int, int]]:
        """The last of the public's numbers: it may now hear what this view has had frames of before."""
        self.steps += len(scenes(self._public_news))
        self.sub, self._public_news = 0, []
        return [(self.steps - i, 0) for i in reversed(range(count))]

    def _frame(self, events: list[Event], number: tuple[int, int], now: TableData) -> Frame:
        shown = events if self.view == OPEN else [one.seen_by(self.view) for one in events]
        frame: Frame = {
            "step": number[0],
            "seat": self.seen.get("to_act", HIDDEN),
            "events": [
                {"kind": one.kind, **one.data, **extra}
                for one, extra in zip(shown, self._extras, strict=True)
            ],
            "set": _changes(self.seen, now),
        }
        if number[1]:
            frame["sub"] = number[1]
        self.seen = now
        return frame

    def _position_after(self, state: State, events: list[Event]) -> TableData:
        """Apply the events to the tables of this view, and return what they show."""
        if not self._tables:
            views = [SPECTATOR, *range(state.seats)] if self.view == OPEN else [self.view]
            self._tables = [VisibleTable(state.board, state.seats, view) for view in views]
        public, *everyone = self._tables
        self._extras = []
        for event in events:
            self._extras.append(powers_in(public, event))
            for table in self._tables:
                table.apply(event.seen_by(table.seat))
        now = position(public)
        if everyone:
            now["used"] = [table.used[seat] for seat, table in enumerate(everyone)]
            now["power"] = [table.own_power for table in everyone]
            now["hands"] = [list(table.hand) for table in everyone]
        if "clocks" in self.seen:
            now["clocks"] = self.seen["clocks"]
        return now


def position(seen: VisibleTable | Observation) -> TableData:
    """Return a table as a viewer wants it: power cards -1 face down and 0 none, unknown hands None."""
    shown: TableData = {name: _copy(getattr(seen, name)) for name in _SHOWN}
    shown["pawns"] = {str(at): count for at, count in enumerate(seen.pawns) if count}
    shown["revealed"] = int(seen.phase > DEVELOPMENT)
    shown["power"] = [
        card or (HIDDEN if chosen else 0) for card, chosen in zip(seen.power, seen.chosen, strict=True)
    ]
    shown["hands"] = [None if size else [0] * cards.KINDS for size in seen.hand_sizes]
    if seen.seat >= 0:
        shown["power"][seen.seat] = seen.own_power
        shown["hands"][seen.seat] = list(seen.hand)
    shown["size"] = size = len(seen.pawns) // seen.seats
    shown["settled"] = [t for t in range(size) if seen.settled >> t & 1]
    shown["claims"] = [[t for t in range(size) if mask >> t & 1] for mask in seen.claims]
    shown["over"] = int(seen.phase == OVER)
    return shown


def _copy(value: int | list[int]) -> int | list[int]:
    return list(value) if isinstance(value, list) else value


def apply_frame(before: TableData, frame: Frame) -> TableData:
    """Return the position after a frame."""
    after = {**before, **frame["set"]}
    pawns = {**before.get("pawns", {}), **frame["set"].get("pawns", {})}
    after["pawns"] = {at: count for at, count in pawns.items() if count}
    return after


def _changes(before: TableData, now: TableData) -> TableData:
    changed = {name: value for name, value in now.items() if before.get(name) != value}
    if "pawns" in changed:
        old, new = before.get("pawns", {}), now["pawns"]
        changed["pawns"] = {at: new.get(at, 0) for at in {**old, **new} if old.get(at, 0) != new.get(at, 0)}
    return changed
