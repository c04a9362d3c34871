"""Matches of trivial bots in processes of their own, for bench.runner."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from engine.boardfile import load_board
from engine.rulesets import ruleset
from proto import codec
from proto.messages import DecisionRequest
from workers.match.plain_process import plain_launcher
from workers.match.report import MatchReport
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.seat_server import SeatServer
from workers.match.spec import MatchSpec
from workers.polling import POLLING

ROOT = Path(__file__).resolve().parent.parent
SEATS = 4
AS_IT_COMES = dict.fromkeys(POLLING, "")
"""Variables with which gRPC polls as it does where nobody chooses."""
Asked = list[list[tuple[int, bytes]]]
"""What was sent, in order: the seats asked at once, and the bytes to each."""


def bot(*arguments: str) -> Launcher:
    """A trivial bot; its gRPC polls as this process's does."""
    kept = {name: os.environ[name] for name in ("PATH", *POLLING) if name in os.environ}
    env = {"PYTHONPATH": str(ROOT), **kept}
    return plain_launcher([sys.executable, "-m", "bench._trivial_bot", *arguments], ROOT, env)


async def play(launchers: list[Launcher], server: Callable[..., Any] = SeatServer) -> MatchReport:
    """Play a match, over another kind of server if wanted."""
    board = load_board()
    spec = MatchSpec("bench", ("trivial",) * SEATS, bytes(range(32)), ruleset(), board.id, board.hash)
    with mock.patch("workers.match.seat.SeatServer", server):
        report = await play_match(spec, launchers)
    for seat in report.seats:
        if seat.fault or seat.strikes:
            raise RuntimeError(f"a trivial bot failed: {seat.fault or seat.strikes} {seat.output}")
    return report


async def play_processes() -> MatchReport:
    """Play a match as matches are played."""
    return await play([bot() for _ in range(SEATS)])


async def listen_in() -> Asked:
    """Play a match and keep what its bots were asked."""
    asked: Asked = []
    answered = True

    class Tapped(SeatServer):
        def __init__(self, socket: Path, on_message: Callable[[bytes], None], *others: Any) -> None:
            def heard(data: bytes) -> None:
                nonlocal answered
                answered = True
                on_message(data)

            super().__init__(socket, heard, *others)

        def send(self, data: bytes) -> None:
            nonlocal answered
            if isinstance(codec.read_host_message(data), DecisionRequest):
                if answered:
                    asked.append([])
                answered = False
                asked[-1].append((int(self.socket.stem[-1]), data))
            super().send(data)

    await play([bot() for _ in range(SEATS)], Tapped)
    return asked
