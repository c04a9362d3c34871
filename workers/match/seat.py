"""One seat of a match: its bot's process, what is said to it and by it, its strikes and its fault."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.observation import Observation
from proto import codec
from proto.messages import (
    MAX_BOT_NAME,
    PROTOCOL_VERSION,
    Clocks,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    MatchStart,
    Ping,
    Pong,
    RawEvent,
    Strike,
    StrikeKind,
)
from workers.match.clock import Countdown, StallMeter
from workers.match.faults import STRIKES_ALLOWED, UNASKED_ALLOWED, Fault, FaultKind
from workers.match.questions import Question, Questions
from workers.match.report import OUTPUT_KEPT, REASON_KEPT, SeatReport, StrikeNote, clean
from workers.match.seat_server import SeatServer
from workers.sandbox.base import Ending, Running

Launcher = Callable[[Path], Awaitable[Running]]
"""Starts a bot that will connect to this socket, in any kind of sandbox."""

FAREWELL: Final = 1.0
"""How many seconds a bot may run after its stream has ended, to write its last messages to stderr."""
_PONG: Final = Pong(1)
_STATUS: Final = {
    FaultKind.NO_HELLO: "DEADLINE_EXCEEDED",
    FaultKind.VERSION: "FAILED_PRECONDITION",
    FaultKind.GARBAGE: "INVALID_ARGUMENT",
    FaultKind.FLOOD: "RESOURCE_EXHAUSTED",
    FaultKind.STRIKES: "ABORTED",
}


class Seat:
    """`open` it and wait for `hello`; `ask` and await `answer` until it has a fault; `close` it in any case.

    `step` says how many actions the game has seen. What fails on the host's side is raised by the next wait.
    """

    def __init__(
        self,
        socket: Path,
        clocks: Clocks,
        meter: StallMeter,
        step: Callable[[], int],
        loopback: bool = False,
        report: SeatReport | None = None,
    ) -> None:
        self.report = report or SeatReport()
        self._clocks = clocks
        self._meter = meter
        self._step = step
        self._server = SeatServer(socket, self._on_message, self._on_stream_end, loopback)
        self._requests = codec.RequestWriter()
        self._questions = Questions(clocks, meter, self.report)
        self._hello: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._allowance: Countdown | None = None
        self._running: Running | None = None
        self._watch: asyncio.Task[None] | None = None
        self._pinged = 0.0
        self._over = False
        self._host_error: BaseException | None = None

    @property
    def fault(self) -> Fault | None:
        """Why the seat was taken from its bot, or None."""
        return self.report.fault

    @property
    def is_vacant(self) -> bool:
        """Whether somebody else must play it if anybody can."""
        return self.fault is not None

    async def open(self, launch: Launcher) -> None:
        """Listen, start the bot, and start its start-up allowance."""
        await self._server.start()
        self._running = await launch(self._server.socket)
        if not self._hello.done():
            self._allowance = Countdown(self._clocks.startup_ms * 1000, self._meter, self._no_hello)
        self._spawn(self._watch_process(self._running))

    async def hello(self) -> None:
        """Wait until the bot has said hello, or has failed."""
        await self._hello
        self._raise_host_error()

    def start_match(self, start: MatchStart) -> None:
        """Tell the bot what is played, and measure the round-trip time."""
        self._server.send(codec.write_match_start(start))
        self._pinged = time.monotonic()
        self._server.send(codec.write_ping(Ping(_PONG.ping_id)))

    def ask(self, step: int, seen: Observation, legal: Sequence[int], news: Sequence[RawEvent]) -> Question:
        """Put a question to the bot."""
        question = self._questions.ask(step)
        left, limit = question.left_ms, question.limit_ms
        request = DecisionRequest(question.request_id, seen, legal, news, left, limit)
        self._server.send(self._requests.write(request))
        return question

    async def answer(self, question: Question) -> Decision | None:
        """Wait for the answer; return None if the time ran out or the bot failed."""
        decision = await question.answer
        self._raise_host_error()
        return decision

    def strike(self, question: Question, kind: StrikeKind, reason: str, action: int) -> None:
        """Warn the bot that `action` was taken for it; the last strike ends its part."""
        reason = reason[:REASON_KEPT]
        self.report.strikes.append(StrikeNote(question.step, kind, reason))
        count = len(self.report.strikes)
        strike = Strike(question.request_id, kind, reason, action, count, STRIKES_ALLOWED)
        self._server.send(codec.write_strike(strike))
        if count == STRIKES_ALLOWED:
            self._fail(FaultKind.STRIKES, f"strike {count} of {STRIKES_ALLOWED}: {reason}")

    def finish(self, over: GameOver) -> None:
        """Tell the bot how it ended. Nothing that it does from now on is a fault."""
        self._over = True
        self._server.send(codec.write_game_over(over))
        self._server.end_stream("OK", "")

    def dismiss(self) -> None:
        """Let another bot have the seat and its report: nothing that this one does from now on is a fault."""
        self._over = True

    async def close(self) -> None:
        """Let the bot write its last messages if the match was finished; leave nothing of it behind."""
        talkative, self._over = self._over or bool(self.fault), True
        try:
            if self._running:
                await self._end_process(self._running, FAREWELL if talkative else 0)
        finally:
            if self._watch:
                self._watch.cancel()
            await self._server.stop()
        self.report.refused_clients = self._server.refused_clients
        self._raise_host_error()

    async def _end_process(self, running: Running, patience: float) -> None:
        try:
            await asyncio.wait_for(running.wait(), patience)
        except TimeoutError:
            running.kill()
        end = await running.wait()
        self.report.exit = end.reason[:REASON_KEPT]
        self.report.output = clean(end.output[-OUTPUT_KEPT:])

    def _on_message(self, data: bytes) -> None:
        if self._over or self.fault:
            return
        try:
            message = codec.read_bot_message(data)
        except codec.CodecError as error:
            self._fail(FaultKind.GARBAGE, f"it sent {len(data)} bytes that are no message: {error}")
            return
        if not self._hello.done():
            self._on_first_message(message)
        elif isinstance(message, Decision):
            self._questions.take(message)
        elif message == _PONG and self._pinged and self.report.ping_us is None:
            self.report.ping_us = int((time.monotonic() - self._pinged) * 1e6)
        else:
            self.report.unknown += 1
        if self.report.late + self.report.repeated + self.report.unknown > UNASKED_ALLOWED:
            self._fail(FaultKind.FLOOD, f"it sent more than {UNASKED_ALLOWED} messages that nobody asked for")

    def _on_first_message(self, message: object) -> None:
        if not isinstance(message, Hello):
            self._fail(FaultKind.GARBAGE, "its first message was no hello")
        elif message.protocol_version != PROTOCOL_VERSION:
            theirs, ours = message.protocol_version, PROTOCOL_VERSION
            self._fail(
                FaultKind.VERSION, f"it speaks version {theirs} of the protocol, this host version {ours}"
            )
        else:
            printable = "".join(sign for sign in message.bot_name if sign.isprintable())
            self.report.bot_name = printable[:MAX_BOT_NAME]
            self.report.startup_us = self._allowance.stop()[0] if self._allowance else 0
            self._hello.set_result(None)

    def _no_hello(self) -> None:
        self._fail(FaultKind.NO_HELLO, f"it said no hello within {self._clocks.startup_ms} ms of its start")

    def _on_stream_end(self, error: BaseException | None) -> None:
        if error:
            self._break(error)
        self._fail(
            FaultKind.CLOSED, "its stream was closed, or broken by what it sent (say, more than 256 KiB)"
        )

    async def _watch_process(self, running: Running) -> None:
        end = await running.wait()
        self._fail(FaultKind.CRASH, end.reason)
        fault = self.fault
        if fault and fault.kind is FaultKind.CLOSED and end.ending is not Ending.KILLED:
            # A dying process closes its stream first, but why it died is the better reason.
            self.report.fault = replace(fault, kind=FaultKind.CRASH, reason=end.reason[:REASON_KEPT])

    def _fail(self, kind: FaultKind, reason: str) -> None:
        """Take the seat from its bot, once. The bot is told why and has a moment to log it."""
        if self._over or self.fault:
            return
        self.report.fault = Fault(kind, self._step(), reason[:REASON_KEPT])
        code = _STATUS.get(kind, "ABORTED")
        self._server.end_stream(code, f"{reason[:REASON_KEPT]}; the host plays this seat on")
        self._release()
        if self._running:
            asyncio.get_running_loop().call_later(FAREWELL, self._running.kill)

    def _break(self, error: BaseException) -> None:
        """Wake whoever waits, to raise a failure of the host itself."""
        self._host_error = self._host_error or error
        self._release()

    def _release(self) -> None:
        if self._allowance:
            self._allowance.stop()
        if not self._hello.done():
            self._hello.set_result(None)
        self._questions.give_up()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        def done(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (error := task.exception()):
                self._break(error)

        self._watch = asyncio.create_task(work)
        self._watch.add_done_callback(done)

    def _raise_host_error(self) -> None:
        if self._host_error:
            raise self._host_error
