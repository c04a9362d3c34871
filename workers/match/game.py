"""The game of a match: the engine's state, its record, and what each seat must still be told."""

from collections.abc import Callable, Sequence

from engine.errors import IllegalActionError
from engine.events import events
from engine.position import RawEvent
from engine.record import Record, Recorder, replay
from engine.replay.frames import Frame, Lens
from engine.state import State
from workers.match.report import SeatReport
from workers.match.spec import MatchSpec


class MatchGame:
    """Wraps the engine for one match."""

    def __init__(self, spec: MatchSpec, so_far: Sequence[int] = ()) -> None:
        state = State.new(spec.seats, spec.seed, spec.ruleset, spec.load_board())
        state.log_events()
        self.state = state
        self._recorder = Recorder(state, spec.names)
        self._unrecorded: int | None = None
        self._told = [0] * spec.seats
        self._lens: Lens | None = None
        self._shown = 0
        self._charged = [0] * spec.seats
        self.actors: list[int] = []
        """Who took the actions with which it began."""
        for action in so_far:
            self.actors.append(state.to_act())
            self.apply(action)

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
        """Record the last action. It takes as long as asking a bot, so do it while the bots think."""
        if self._unrecorded is not None:
            self._recorder.note(self._unrecorded)
            self._unrecorded = None

    def record(self) -> Record:
        """The record of all actions so far."""
        self.catch_up()
        return self._recorder.record()

    def news(self, seat: int) -> list[RawEvent]:
        """Return what happened since the last call for this seat. The codec hides what it may not see."""
        log = self.state.log or []
        told, self._told[seat] = self._told[seat], len(log)
        return log[told:]

    def whole_story(self, seat: int) -> list[RawEvent]:
        """Return all that happened, for whoever sits down in the middle of the game."""
        self._told[seat] = 0
        return self.news(seat)

    def show(self, on_frame: Callable[[Frame], None], reports: Sequence[SeatReport]) -> None:
        """Pass on what happened since the last call, or since the start, as the public may see it."""
        frames = (
            self._frames_so_far(reports) if self._lens is None else self._next_frames(self._lens, reports)
        )
        for frame in frames:
            on_frame(frame)
        self._shown = len(self.state.log or [])
        self._charged = [len(report.charged_us) for report in reports]

    def _frames_so_far(self, reports: Sequence[SeatReport]) -> list[Frame]:
        self._lens = lens = Lens(timed=True)
        times = [dict(zip(report.steps, report.charged_us, strict=True)) for report in reports]
        frames = []
        for step in replay(self.record(), self.state.board):
            if step.seat >= 0:
                lens.charge(step.seat, times[step.seat].get(step.number - 1, 0))
            frames += lens.see(step.state, step.events)
        return frames

    def _next_frames(self, lens: Lens, reports: Sequence[SeatReport]) -> list[Frame]:
        for seat, report in enumerate(reports):
            lens.charge(seat, sum(report.charged_us[self._charged[seat] :]))
        return lens.see(self.state, events((self.state.log or [])[self._shown :]))

    def why_illegal(self, seat: int, action: int) -> str:
        """Which rule forbids an action."""
        try:
            self.state.clone().apply(action, seat)
        except IllegalActionError as error:
            return str(error)
        return f"action {action} was not among the legal ones"


class WorldGame(MatchGame):
    """A game that goes on from a position in some world. It begins in the middle, so it has no record."""

    def __init__(self, world: State) -> None:
        self.state = world
        self.actors = []
        self.actions: list[int] = []
        self._told = [0] * world.seats

    @property
    def step(self) -> int:
        """How many actions were taken since it went on."""
        return len(self.actions)

    def apply(self, action: int) -> None:
        """Play an action."""
        self.state.apply(action)
        self.actions.append(action)

    def catch_up(self) -> None:
        """Do nothing: there is no record."""
