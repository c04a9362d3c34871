"""The host's own work in a match, for bench.runner: its bots answer inside the process, with no transport."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from bench._runner_matches import SEATS, play
from bench._trivial_bot import HELLO, reply
from workers.sandbox.base import Ending, Exit, Running


class Loopback:
    """Stands where a SeatServer stands, and is the bot as well. It keeps the time that the bot takes."""

    bot_seconds = 0.0
    refused_clients = 0

    def __init__(self, socket: Path, on_message: Callable[[bytes], None], *_others: Any) -> None:
        self.socket = socket
        self._on_message = on_message

    async def start(self) -> None:
        asyncio.get_running_loop().call_soon(self._on_message, HELLO)

    def send(self, data: bytes) -> None:
        started = time.thread_time()
        if answer := reply(data):
            asyncio.get_running_loop().call_soon(self._on_message, answer)
        Loopback.bot_seconds += time.thread_time() - started

    def end_stream(self, *_status: object) -> None:
        pass

    async def stop(self) -> None:
        pass


class Nothing:
    """A process that is none."""

    pid = 0

    def __init__(self) -> None:
        self._end: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()

    def kill(self, reason: str = "the match is over") -> None:
        if not self._end.done():
            self._end.set_result(Exit(Ending.KILLED, reason))

    def output_tail(self) -> bytes:
        return b""

    async def wait(self) -> Exit:
        return await asyncio.shield(self._end)


async def _launch(_socket: Path) -> Running:
    return Nothing()


async def host_microseconds() -> float:
    """Processor time of the host a decision: rules, codec, clocks, record and the rest of the runner."""
    Loopback.bot_seconds = 0.0
    started = time.thread_time()
    with mock.patch("workers.match.seat.FAREWELL", 0):
        report = await play([_launch] * SEATS, Loopback)
    used = time.thread_time() - started - Loopback.bot_seconds
    return used / sum(len(seat.steps) for seat in report.seats) * 1e6
