"""Bots as plain processes with this user's own rights, for an author's own machine, tests and benches."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from workers.match.report import OUTPUT_KEPT
from workers.match.seat import Launcher
from workers.sandbox.base import SOCKET_VARIABLE, Ending, Exit, ResourceLimits, Running
from workers.sandbox.pipe_reader import open_pipe_reader

_SIGNALS = {one.value: one.name for one in signal.Signals}  # some numbers have no name


def plain_launcher(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Launcher:
    """Launch a command that finds the path of its socket in AZTLAN_SOCKET."""

    async def launch(socket: Path) -> Running:
        # Our own pipe: with one of asyncio's, to wait for the process is to wait for all who hold it.
        output, theirs = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                cwd=cwd,
                env={**(os.environ if env is None else env), SOCKET_VARIABLE: str(socket)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
        except BaseException:
            os.close(output)
            raise
        finally:
            os.close(theirs)
        return PlainProcess(process, output)

    return launch


class PlainProcess:
    """A process and the group it leads. It has no limits but its output's."""

    def __init__(self, process: asyncio.subprocess.Process, output: int) -> None:
        self._process = process
        self._started = time.monotonic()
        allowed = ResourceLimits().output_allowed
        self._output = open_pipe_reader(output, OUTPUT_KEPT, allowed, self._too_much_output)
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
            self._kill_all()

    def output_tail(self) -> bytes:
        """What is kept of stdout and stderr so far."""
        return self._output.tail()

    async def wait(self) -> Exit:
        """How it ended; whoever waits may be cancelled without harm to the others."""
        return await asyncio.shield(self._end)

    async def _run(self) -> Exit:
        code = await self._process.wait()
        self._kill_all()  # what it started dies with it
        self._output.close()
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
            output=self._output.tail(),
            output_bytes=self._output.total,
        )

    def _kill_all(self) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            return
        # Windows has no groups to kill; by the time a parent has ended, its children cannot be found.
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(self.pid).children(recursive=True):
                child.kill()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def _too_much_output(self) -> None:
        self.kill("it wrote more to stdout and stderr than is allowed")
