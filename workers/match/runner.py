"""Plays one match between bots and reports how it went.

    report = await play_match(spec, [launch_seat_0, launch_seat_1, ...])

A bot's failure is part of the report. The host's own failures (a socket, a sandbox, a bug) are raised, and
then there is no report.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.observation import observe
from engine.replay.frames import Frame
from engine.state import State
from proto.messages import GameOver, MatchStart, StrikeKind
from workers.match.clock import StallMeter
from workers.match.faults import Fault, final_placements
from workers.match.game import MatchGame, WorldGame
from workers.match.person import Person, PersonSeat
from workers.match.questions import Question
from workers.match.report import MatchReport
from workers.match.seat import Launcher, Seat
from workers.match.spec import MatchSpec
from workers.match.stand_in import default_action

_LONGEST_SOCKET: Final = 107  # the kernel's limit


class HostError(Exception):
    """The host cannot play this match; no bot is to blame."""


async def _tell_nobody(_step: int, _actions: Sequence[int]) -> None:
    """Where nobody waits for each action."""


@dataclass(frozen=True)
class Sitting:
    """What a match at a table with people needs besides its spec."""

    so_far: Sequence[int] = ()
    """The actions that were played before another host died."""
    stand_ins: Mapping[int, Launcher] = field(default_factory=dict)
    """By seat, the bot that takes over from a person who leaves, or from a bot that cannot go on."""
    on_actions: Callable[[int, Sequence[int]], Awaitable[None]] = _tell_nobody
    """Called with each step and the actions played at it; the match goes on when it returns."""
    on_stand_in: Callable[[int], None] = lambda _seat: None
    """Called when a bot has taken a seat over."""
    meter: StallMeter | None = None
    """The running meter of all tables of this process."""
    game: MatchGame | None = None
    """The game, where it does not begin with its spec."""


async def play_match(
    spec: MatchSpec,
    launchers: Sequence[Launcher | Person],
    *,
    folder: Path | None = None,
    on_frame: Callable[[Frame], None] | None = None,
    frames_after: float = 0.0,
    now: Callable[[], float] = time.monotonic,
    loopback: bool = False,
    sitting: Sitting | None = None,
) -> MatchReport:
    """Start one bot per seat, play to the end, and leave nothing behind, whatever happens.

    A `Person` in the place of a launcher is asked like a bot.

    The seats' sockets are made in `folder` (by default a new temporary one). `on_frame` is called with what
    the public may see of each step, for spectators and as a sign of progress; it must be quick. Frames take a
    tenth of a short match's time: with `frames_after` they are made only once it has lasted that many
    seconds, by the clock `now`, and then from the first one on. With `loopback` seats
    are ports of this machine and not unix sockets. Cancelling the task cancels the match.
    """
    if len(launchers) != spec.seats:
        raise HostError(f"{len(launchers)} bots for {spec.seats} seats")
    with tempfile.TemporaryDirectory(prefix="aztlan-") as own:
        room = folder or Path(own)
        match = _Match(spec, launchers, room, on_frame, frames_after, now, loopback, sitting or Sitting())
        return await match.play()


@dataclass(frozen=True)
class PlayedOn:
    """A game that was played on in some world: the actions there, which seats failed and who was replaced."""

    actions: list[int]
    faults: dict[int, Fault]
    stood_in: list[int]


async def play_on(
    spec: MatchSpec, launchers: Sequence[Launcher], world: State, stand_in: Launcher, folder: Path
) -> PlayedOn:
    """Let bots play a game on from a position in a world.

    Each is told all earlier events with its first question, as the protocol allows. One that fails before
    its first answer is replaced by the stand-in.
    """
    game, stood_in = WorldGame(world), list[int]()
    stand_ins = dict.fromkeys(range(spec.seats), stand_in)
    sitting = Sitting(stand_ins=stand_ins, on_stand_in=stood_in.append, game=game)
    match = _Match(spec, launchers, folder, None, 0.0, time.monotonic, False, sitting)
    await match.run()
    faults = {number: seat.fault for number, seat in enumerate(match.seats) if seat.fault}
    return PlayedOn(game.actions, faults, stood_in)


class _Match:
    def __init__(
        self,
        spec: MatchSpec,
        launchers: Sequence[Launcher | Person],
        folder: Path,
        on_frame: Callable[[Frame], None] | None,
        frames_after: float,
        now: Callable[[], float],
        loopback: bool,
        sitting: Sitting,
    ) -> None:
        self.spec = spec
        self.launchers = launchers
        self.folder = folder
        self.loopback = loopback
        self.sitting = sitting
        self.on_frame = on_frame
        self.now, self.frames_from = now, now() + frames_after
        self.game = sitting.game or MatchGame(spec, sitting.so_far)
        self.meter = sitting.meter or StallMeter()
        self.stand_ins = dict(sitting.stand_ins)
        self.gone: list[Seat | PersonSeat] = []
        sockets = [folder / f"seat{seat}.sock" for seat in range(spec.seats)]
        if len(str(sockets[0]).encode()) > _LONGEST_SOCKET and not loopback:
            raise HostError(f"the path of a socket is too long: {sockets[0]}; choose a shorter folder")
        self.seats = [
            PersonSeat(player, self.meter, lambda: self.game.step)
            if isinstance(player, Person)
            else Seat(socket, spec.clocks, self.meter, lambda: self.game.step, loopback)
            for socket, player in zip(sockets, launchers, strict=True)
        ]
        self._note_earlier_steps()

    def _note_earlier_steps(self) -> None:
        """Report what was decided before this host had the match; how long it took is not known here."""
        for step, number in enumerate(self.game.actors):
            report = self.seats[number].report
            if report.fault is None or step < report.fault.step:
                report.steps.append(step)
                report.wall_us.append(0)
                report.charged_us.append(0)

    async def play(self) -> MatchReport:
        started = time.monotonic()
        play = await self.run()
        return self._report(time.monotonic() - started, play)

    async def run(self) -> float:
        """Play to the end; return how many seconds passed from the first question to the last answer."""
        if self.sitting.meter is None:
            self.meter.start()
        try:
            await self._open_seats()
            first_asked = time.monotonic()
            while not self.game.state.is_over():
                await self._play_step()
            play = time.monotonic() - first_asked
            self._finish()
        finally:
            if self.sitting.meter is None:
                self.meter.stop()
            await self._close_seats()
        return play

    async def _open_seats(self) -> None:
        await _all(
            *(
                seat.open(launch)
                for seat, launch in zip(self.seats, self.launchers, strict=True)
                if isinstance(seat, Seat) and not isinstance(launch, Person)
            )
        )
        for seat in self.seats:
            await seat.hello()
        for number, seat in enumerate(self.seats):
            if not seat.fault:
                seat.start_match(self._match_start(number))
            elif seat.is_vacant and number in self.stand_ins:
                await self._seat_stand_in(number)

    def _match_start(self, number: int) -> MatchStart:
        spec = self.spec
        return MatchStart(
            spec.match_id,
            number,
            spec.seats,
            spec.ruleset.options(),
            self.game.state.board,
            spec.clocks,
            spec.seed_commitment(),
        )

    async def _seat_stand_in(self, number: int) -> Seat:
        """Let a bot take a seat over; it goes on in the same report, as if nobody had left."""
        old = self.seats[number]
        old.dismiss()  # a broken stream is followed by the end of the process, which must not count twice
        old.report.fault = None
        socket = self.folder / f"in{number}.sock"
        new = Seat(socket, self.spec.clocks, self.meter, lambda: self.game.step, self.loopback, old.report)
        self.gone.append(old)
        self.seats[number] = new
        await new.open(self.stand_ins.pop(number))
        await new.hello()
        if not new.fault:
            new.start_match(self._match_start(number))
        self.sitting.on_stand_in(number)
        return new

    async def _play_step(self) -> None:
        """Ask every seat whose decision is open, all at once; play the answers in the engine's order."""
        state, first = self.game.state, self.game.step
        asked = []
        for step, number in enumerate(state.acting(), first):
            legal = state.legal_actions(number)
            seat = self.seats[number]
            news = self.game.news(number)
            question = None if seat.fault else seat.ask(step, observe(state, number), legal, news)
            asked.append((number, legal, question))
        await asyncio.sleep(0)  # the questions go out; while the bots think there is time for the rest
        self.game.catch_up()
        self._show()
        actions = [
            await self._hear(number, legal, question)
            if question
            else self._default(number, first + place, legal)
            for place, (number, legal, question) in enumerate(asked)
        ]
        for action in actions:
            self.game.apply(action)
        await self.sitting.on_actions(first, actions)

    async def _hear(self, number: int, legal: Sequence[int], question: Question) -> int:
        """A seat's action: its bot's if that is there and legal, else the default one and a strike."""
        seat = self.seats[number]
        decision = await seat.answer(question)
        if seat.is_vacant and number in self.stand_ins:
            seat = await self._seat_stand_in(number)
            if seat.fault:
                return self._default(number, question.step, legal)
            question = self._ask_again(seat, number, question, legal)
            decision = await seat.answer(question)
        elif not isinstance(seat, PersonSeat):
            self.stand_ins.pop(number, None)  # a bot that answers has found its way back into the match
        if decision is not None and decision.action in legal:
            return decision.action
        action = self._default(number, question.step, legal)
        if decision is not None:
            reason = self.game.why_illegal(number, decision.action)
            seat.strike(question, StrikeKind.ILLEGAL_ACTION, reason, action)
        elif not seat.fault:
            seat.strike(question, StrikeKind.TIME, f"no answer within {question.limit_ms} ms", action)
        return action

    def _ask_again(self, seat: Seat, number: int, missed: Question, legal: Sequence[int]) -> Question:
        """Put a question that nobody answered to the bot that has taken the seat over."""
        report = seat.report
        if report.steps and report.steps[-1] == missed.step:
            report.steps.pop()
            report.wall_us.pop()
            report.charged_us.pop()
        seen = observe(self.game.state, number)
        return seat.ask(missed.step, seen, legal, self.game.whole_story(number))

    def _default(self, number: int, step: int, legal: Sequence[int]) -> int:
        return default_action(self.spec.seed, number, step, legal)

    def _finish(self) -> None:
        by_game, scores = self.game.state.placements(), self.game.state.scores()
        faults = {number: seat.fault for number, seat in enumerate(self.seats) if seat.fault}
        placements = final_placements(by_game, faults)
        for number, seat in enumerate(self.seats):
            seat.report.placement, seat.report.score = placements[number], scores[number]
            if not seat.fault:
                seat.finish(GameOver(placements, scores, self.spec.seed))
        self._show()

    def _show(self) -> None:
        if self.on_frame and self.now() >= self.frames_from:
            self.game.show(self.on_frame, [seat.report for seat in self.seats])

    async def _close_seats(self) -> None:
        await _all(*(seat.close() for seat in [*self.seats, *self.gone]))

    def _report(self, wall: float, play: float) -> MatchReport:
        return MatchReport(
            self.spec.match_id,
            self.game.record(),
            tuple(seat.report for seat in self.seats),
            tuple(self.game.state.placements()),
            int(wall * 1e6),
            int(play * 1e6),
            int(self.meter.stalled() * 1e6),
        )


async def _all(*work: Awaitable[None]) -> None:
    """Wait for all of them, even if some fail; then raise the first failure."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
