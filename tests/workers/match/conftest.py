"""The cast of match tests: `friend` plays well within this process; villains are processes of their own."""

import asyncio
import os
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import grpc
import pytest

from engine.boardfile import load_board
from engine.record import verify
from engine.rulesets import ruleset
from proto import codec
from proto.messages import PLAY, Clocks, Decision, DecisionRequest, Hello, HostMessage, Ping, Pong
from workers.match.contradictions import check_seats
from workers.match.plain_process import plain_launcher
from workers.match.report import MatchReport
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.spec import MatchSpec
from workers.sandbox.base import Ending, Exit, Running

BOTS = Path(__file__).parent / "bots"
ROOT = Path(__file__).parents[3]
PATIENT = Clocks(startup_ms=30_000, bank_ms=60_000, increment_ms=0, decision_ms=60_000)
"""Clocks that no honest bot runs out of, however slow the machine."""


def make_spec(seats: int = 2, clocks: Clocks = PATIENT, edition: str = "english", seed: int = 1) -> MatchSpec:
    board = load_board()
    names = tuple(f"bot {seat}" for seat in range(seats))
    return MatchSpec(
        f"match-{seed}",
        names,
        random.Random(seed).randbytes(32),
        ruleset(edition),
        board.id,
        board.hash,
        clocks,
    )


def villain(*arguments: str) -> Launcher:
    """A process of bots/villain.py; its first argument says how it misbehaves."""
    env = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "GRPC_VERBOSITY": "NONE"}
    return plain_launcher([sys.executable, str(BOTS / "villain.py"), *arguments], cwd=ROOT, env=env)


Answer = Callable[[DecisionRequest], Awaitable[int] | int]


class InProcess:
    """A bot that runs as a task of the test's own event loop; to the runner it looks like any process."""

    pid = 0

    def __init__(self, work: Awaitable[None]) -> None:
        self._task = asyncio.ensure_future(work)
        self._killed = False

    def kill(self, reason: str = "the match is over") -> None:
        self._killed = True
        self._task.cancel()

    def output_tail(self) -> bytes:
        return b""

    async def wait(self) -> Exit:
        await asyncio.wait([self._task])
        ending = Ending.KILLED if self._killed else Ending.EXITED
        return Exit(ending, f"it {ending.value}")


class Friend:
    """A launcher of an honest bot. It keeps what the host said, for tests to look at."""

    def __init__(self, answer: Answer | None = None, seed: int = 0) -> None:
        chance = random.Random(seed)
        self.heard: list[HostMessage] = []
        self.bytes: list[bytes] = []
        self._answer: Answer = answer or (lambda request: chance.choice(request.legal_actions))

    async def __call__(self, socket: Path) -> Running:
        return InProcess(self._play(socket))

    async def _play(self, socket: Path) -> None:
        async with grpc.aio.insecure_channel(f"unix:{socket}") as channel:
            call = channel.stream_stream(PLAY)()
            await call.write(codec.write_hello(Hello(1, "friend")))
            while (data := await call.read()) is not grpc.aio.EOF:
                message = codec.read_host_message(data)
                assert message is not None
                self.heard.append(message)
                self.bytes.append(data)
                if isinstance(message, DecisionRequest):
                    action = self._answer(message)
                    action = action if isinstance(action, int) else await action
                    await call.write(codec.write_decision(Decision(message.request_id, action)))
                elif isinstance(message, Ping):
                    await call.write(codec.write_pong(Pong(message.ping_id)))


async def play(launchers: Sequence[Launcher], clocks: Clocks = PATIENT, **options: object) -> MatchReport:
    """Play a match; whatever the bots did, its record must be a fair and finished game."""
    report = await play_match(make_spec(len(launchers), clocks), launchers, **options)  # type: ignore[arg-type]  # of any option
    actors: list[int] = []
    verify(report.record, actors=actors)
    check_seats(MatchReport.from_data(report.to_data()), actors)
    return report


@pytest.fixture
def friend() -> Friend:
    return Friend()
