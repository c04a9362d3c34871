"""Bots as plain processes with this user's own rights: for an author's own machine, the tests, the bench."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from workers.match.report import OUTPUT_KEPT
from workers.match.seat import Launcher
from workers.sandbox.base import SOCKET_VARIABLE, Ending, Exit, Running

_SIGNALS = {one.value: one.name for one in signal.Signals}  # not all numbers have a name


def plain_launcher(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Launcher:
    """Launch a command that finds the path of its socket in AZTLAN_SOCKET."""

    async def launch(socket: Path) -> Running:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env={**(os.environ if env is None else env), SOCKET_VARIABLE: str(socket)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        return PlainProcess(process)

    return launch


class PlainProcess:
    """A process and the group it leads. It has no limits but its output's."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._started = time.monotonic()
        self._tail = bytearray()
        self._written = 0
        self._killed = ""
        self._end = asyncio.create_task(self._run())

    @property
    def pid(self) -> int:
        """The process id, which is the group's too."""
        return self._process.pid

    def kill(self, reason: str = "the match is over") -> None:
        """Kill the whole group."""
        if not self._end.done():
            self._killed = self._killed or reason
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def output_tail(self) -> bytes:
        """What is kept of stdout and stderr so far."""
        return bytes(self._tail)

    async def wait(self) -> Exit:
        """How it ended; whoever waits may be cancelled without harm to the others."""
        return await asyncio.shield(self._end)

    async def _run(self) -> Exit:
        code = await self._drain_until_exit()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # what it started dies with it
        if self._killed:
            ending, reason = Ending.KILLED, self._killed
        elif code < 0:
            ending, reason = Ending.SIGNALLED, f"it was killed by signal {_SIGNALS.get(-code, -code)}"
        else:
            ending, reason = Ending.EXITED, f"it exited with code {code}"
        return Exit(
            ending,
            reason,
            code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            wall_seconds=time.monotonic() - self._started,
            output=bytes(self._tail),
            output_bytes=self._written,
        )

    async def _drain_until_exit(self) -> int:
        """Read what it writes. A grandchild may hold the pipe open, so its end is not waited for."""
        draining = asyncio.create_task(self._drain())
        code = await self._process.wait()
        await asyncio.wait([draining], timeout=0.2)
        draining.cancel()
        return code

    async def _drain(self) -> None:
        stream = self._process.stdout
        while stream and (chunk := await stream.read(65536)):
            self._written += len(chunk)
            self._tail = (self._tail + chunk)[-OUTPUT_KEPT:]
