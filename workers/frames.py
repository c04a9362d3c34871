"""Frames: a game as a spectator, a seat or an open table may see it, step by step.

    lens = Lens(view)                 # SPECTATOR, a seat, or OPEN
    for step in replay(record):
        frames = lens.see(step.state, step.events)

A frame is plain data: `step` (and `sub`), `seat` (who acted), `events`, and `set`, the parts of the position
that changed. Whoever folds the frames with `fold` has the position; nobody needs the rules for that. A lens
for a seat or a spectator reads nothing but `observe` and `Event.seen_by`: it cannot show what those hide.

Steps are counted as the public can count them. A decision that others may not know of (whether to play Sacred
Games or Great Tlatoani) makes no frame for them: what happens meanwhile comes with their next one. Views that
may know of it get frames of their own in between, numbered 1, 2, .. in `sub`.
"""

from collections.abc import Sequence
from typing import Any, Final

from engine import cards
from engine.events import Event
from engine.observation import HIDDEN, Observation, observe
from engine.position import DEVELOPMENT, OVER
from engine.state import State
from workers.beats import after, beats

SPECTATOR: Final = -1
OPEN: Final = -2

Position = dict[str, Any]
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
        self.seen: Position = {}
        self.steps = -1
        self.sub = 0
        self._news: list[Event] = []
        self._public_news: list[Event] = []

    def charge(self, seat: int, microseconds: int) -> None:
        """Count the time of the decision that was open, if this view knew of it: its clock would tell."""
        if self._used is not None and self.knows_actor:
            self._used[seat] = self._used.get(seat, 0) + microseconds

    def see(self, state: State, events: Sequence[Event]) -> list[Frame]:
        """The next frames; none where this view cannot tell that anything is being decided."""
        self._news += [one if self.view == OPEN else one.seen_by(self.view) for one in events]
        self._public_news += events
        public = observe(state, SPECTATOR)
        hidden = public.to_act == HIDDEN and not state.is_over()
        self.knows_actor = not hidden or self.view in (OPEN, state.to_act())
        if not self.knows_actor:
            return []
        now = self._position(state, public)
        if self._used is not None:
            now["clocks"] = [self._used.get(seat, 0) // 1000 for seat in range(state.seats)]
        groups = beats(self._news)
        self._news = []
        numbers = self._hidden_numbers(len(groups)) if hidden else self._public_numbers(len(groups))
        *before, last = zip(groups, numbers, strict=True)
        frames = [self._frame(group, number, after(self.seen, group)) for group, number in before]
        return [*frames, self._frame(*last, now)]

    def _hidden_numbers(self, count: int) -> list[tuple[int, int]]:
        numbers = [(self.steps, self.sub + i) for i in range(1, count + 1)]
        self.sub += count
        return numbers

    def _public_numbers(self, count: int) -> list[tuple[int, int]]:
        """The last of the public's numbers: it may now hear what this view has had frames of before."""
        self.steps += len(beats(self._public_news))
        self.sub, self._public_news = 0, []
        return [(self.steps - i, 0) for i in reversed(range(count))]

    def _frame(self, events: list[Event], number: tuple[int, int], now: Position) -> Frame:
        frame: Frame = {
            "step": number[0],
            "seat": self.seen.get("to_act", HIDDEN),
            "events": [{"kind": one.kind, **one.data} for one in events],
            "set": _changes(self.seen, now),
        }
        if number[1]:
            frame["sub"] = number[1]
        self.seen = now
        return frame

    def _position(self, state: State, public: Observation) -> Position:
        if self.view != OPEN:
            return position(observe(state, self.view) if self.view >= 0 else public)
        everyone = [observe(state, seat) for seat in range(state.seats)]
        open_table = position(public)
        open_table["to_act"] = state.to_act()
        open_table["used"] = [seen.used[seat] for seat, seen in enumerate(everyone)]
        open_table["power"] = [seen.own_power for seen in everyone]
        open_table["hands"] = [seen.hand for seen in everyone]
        return open_table


def position(seen: Observation) -> Position:
    """An observation as a viewer wants it: power cards -1 face down and 0 none, unknown hands None."""
    shown: Position = {name: getattr(seen, name) for name in _SHOWN}
    shown["pawns"] = {str(at): count for at, count in enumerate(seen.pawns) if count}
    shown["revealed"] = int(seen.phase > DEVELOPMENT)
    shown["power"] = [
        card or (HIDDEN if chosen else 0) for card, chosen in zip(seen.power, seen.chosen, strict=True)
    ]
    shown["hands"] = [None if size else [0] * cards.KINDS for size in seen.hand_sizes]
    if seen.seat >= 0:
        shown["power"][seen.seat] = seen.own_power
        shown["hands"][seen.seat] = seen.hand
    shown["size"] = size = len(seen.pawns) // seen.seats
    shown["settled"] = [t for t in range(size) if seen.settled >> t & 1]
    shown["claims"] = [[t for t in range(size) if mask >> t & 1] for mask in seen.claims]
    shown["over"] = int(seen.phase == OVER)
    return shown


def fold(before: Position, frame: Frame) -> Position:
    """The position after a frame."""
    after = {**before, **frame["set"]}
    pawns = {**before.get("pawns", {}), **frame["set"].get("pawns", {})}
    after["pawns"] = {at: count for at, count in pawns.items() if count}
    return after


def _changes(before: Position, now: Position) -> Position:
    changed = {name: value for name, value in now.items() if before.get(name) != value}
    if "pawns" in changed:
        old, new = before.get("pawns", {}), now["pawns"]
        changed["pawns"] = {at: new.get(at, 0) for at in {**old, **new} if old.get(at, 0) != new.get(at, 0)}
    return changed
