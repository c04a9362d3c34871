"""The game of a match: the engine's state, its record, and what each seat has yet to be told."""

from collections.abc import Callable

from engine.errors import IllegalActionError
from engine.events import Event, events
from engine.position import RawEvent
from engine.record import Record, Recorder, replay
from engine.state import State
from workers.frames import Frame, Lens
from workers.match.spec import MatchSpec


class Game:
    """Wraps the engine for one match."""

    def __init__(self, spec: MatchSpec) -> None:
        state = State.new(spec.seats, spec.seed, spec.ruleset, spec.load_board())
        state.log_events()
        self.state = state
        self._recorder = Recorder(state, spec.names)
        self._unrecorded: int | None = None
        self._told = [0] * spec.seats
        self._lens: Lens | None = None
        self._shown = 0

    @property
    def step(self) -> int:
        """How many actions were taken."""
        return len(self._recorder.actions) + (self._unrecorded is not None)

    def apply(self, action: int) -> None:
        """Play an action. It is recorded before the next, or by `catch_up`."""
        self.catch_up()
        self.state.apply(action)
        self._unrecorded = action

    def catch_up(self) -> None:
        """Record the last action. That takes as long as asking a bot does, so better when they think."""
        if self._unrecorded is not None:
            self._recorder.note(self._unrecorded)
            self._unrecorded = None

    def record(self) -> Record:
        """The record of all actions so far."""
        self.catch_up()
        return self._recorder.record()

    def news(self, seat: int) -> list[RawEvent]:
        """What happened since this was last asked for the seat. The codec hides what the seat may not see."""
        log = self.state.log or []
        told, self._told[seat] = self._told[seat], len(log)
        return log[told:]

    def show(self, on_frame: Callable[[Frame], None]) -> None:
        """Pass on what happened since the last call, as the public may see it; at first, since the start."""
        if self._lens is None:
            self._lens = Lens()
            for step in replay(self.record(), self.state.board):
                self._see(step.state, step.events, on_frame)
        else:
            log = self.state.log or []
            self._see(self.state, events(log[self._shown :]), on_frame)
        self._shown = len(self.state.log or [])

    def _see(self, state: State, news: list[Event], on_frame: Callable[[Frame], None]) -> None:
        for frame in self._lens.see(state, news) if self._lens else ():
            on_frame(frame)

    def why_illegal(self, seat: int, action: int) -> str:
        """Which rule forbids an action."""
        try:
            self.state.clone().apply(action, seat)
        except IllegalActionError as error:
            return str(error)
        return f"action {action} was not among the legal ones"
