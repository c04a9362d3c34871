"""The game of a match: the engine's state, its record, and what each seat has yet to be told."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import IllegalActionError
from engine.events import Event, events
from engine.position import RawEvent
from engine.record import Recorder
from engine.state import State
from workers.match.spec import MatchSpec


@dataclass(frozen=True, slots=True)
class Frame:
    """For live spectators: what happened until the game had seen `step` actions, as the public may see it."""

    step: int
    events: list[Event]


class Game:
    """Wraps the engine for one match."""

    def __init__(self, spec: MatchSpec) -> None:
        state = State.new(spec.seats, spec.seed, spec.ruleset, spec.load_board())
        state.log_events()
        self.state = state
        self.recorder = Recorder(state, spec.names)
        self._told = [0] * spec.seats
        self._shown = 0

    @property
    def step(self) -> int:
        """How many actions were taken."""
        return len(self.recorder.actions)

    def news(self, seat: int) -> list[RawEvent]:
        """What happened since this was last asked for the seat. The codec hides what the seat may not see."""
        log = self.state.log or []
        told, self._told[seat] = self._told[seat], len(log)
        return log[told:]

    def show(self, on_frame: Callable[[Frame], None]) -> None:
        """Pass on what happened since the last frame, if anything did."""
        log = self.state.log or []
        if len(log) > self._shown:
            on_frame(Frame(self.step, [one.seen_by(-1) for one in events(log[self._shown :])]))
            self._shown = len(log)

    def why_illegal(self, seat: int, action: int) -> str:
        """Which rule forbids an action."""
        try:
            self.state.clone().apply(action, seat)
        except IllegalActionError as error:
            return str(error)
        return f"action {action} was not among the legal ones"
