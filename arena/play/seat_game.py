"""A running game as its people may see it: all that a browser is sent of it comes from here.

What a seat gets follows from `Lens(seat)` and the seat's own legal actions, so it depends on nothing but what
that seat may know. In particular the number of actions is never sent: it would tell that somebody was asked
about a hidden card and declined.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from engine.board import Board
from engine.errors import IllegalActionError
from engine.events import events
from engine.observation import Observation, observe
from engine.replay.frames import Lens
from engine.rulesets import Ruleset
from engine.state import State


class SeatGame:
    """The game at a table, followed action by action."""

    def __init__(
        self, seats: int, seed: bytes, ruleset: Ruleset, board: Board, people: Iterable[int] = ()
    ) -> None:
        self.state = State.new(seats, seed, ruleset, board)
        self.state.log_events()
        self.step = 0
        self.decided = [0] * seats
        """How many decisions each seat has made; the next has this number."""
        self.frames: dict[int, list[str]] = {seat: [] for seat in people}
        """What each person has been shown, as JSON."""
        self._lenses = {seat: Lens(seat) for seat in self.frames}
        self._shown = 0
        self._show()

    def play(self, actions: Sequence[int]) -> None:
        """Apply the actions that follow."""
        for action in actions:
            self.decided[self.state.to_act()] += 1
            self.state.apply(action)
            self.step += 1
            self._show()

    def legal_actions(self, seat: int) -> tuple[int, ...]:
        """What the seat may do now; nothing if it is not asked."""
        return self.state.legal_actions(seat) if seat in self.state.acting() else ()

    def step_of(self, seat: int) -> int:
        """The step at which the match host expects the decision of a seat that is asked now."""
        return self.step + self.state.acting().index(seat)

    def turn(self, seat: int) -> dict[str, Any]:
        """What the seat has to decide: the number of the decision, and the legal actions."""
        return {"number": self.decided[seat], "legal": list(self.legal_actions(seat))}

    def observation(self, seat: int) -> Observation:
        """What the seat knows: all that a hint is made from."""
        return observe(self.state, seat)

    def why_illegal(self, seat: int, action: int) -> str:
        """Which rule forbids an action."""
        try:
            self.state.clone().apply(action, seat)
        except IllegalActionError as error:
            return str(error)
        return f"action {action} is not among the legal ones"

    def _show(self) -> None:
        log = self.state.log or []
        news = events(log[self._shown :]) if self._lenses else []
        self._shown = len(log)
        for seat, lens in self._lenses.items():
            for frame in lens.see(self.state, news):
                self.frames[seat].append(json.dumps(frame, separators=(",", ":"), ensure_ascii=False))
