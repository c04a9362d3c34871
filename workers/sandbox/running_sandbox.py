"""One running sandbox: checked against its limits, and cleaned up when it ends."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from workers.sandbox.base import Ending, Exit, Launch, SandboxError
from workers.sandbox.pipe_reader import PipeReader
from workers.sandbox.program import SandboxProgram
from workers.sandbox.resource_groups import ResourceGroup

log = logging.getLogger(__name__)

LOOK_EVERY = 0.2
START_WITHIN = 10.0
DIE_WITHIN = 10.0
TELLS_WITHIN = 0.5
"""How many seconds the monitor of a killed sandbox has to tell how it ended; then it is killed too."""
SHELL_SIGNALS = 128


class RunningSandbox:
    """Implements `workers.sandbox.base.Running`."""

    def __init__(
        self,
        launch: Launch,
        group: ResourceGroup,
        pipes: tuple[socket.socket, int, int],
        program: SandboxProgram,
        undo: ExitStack,
    ) -> None:
        """pipes: the host's ends of status, output and artifact."""
        self.loop = asyncio.get_running_loop()
        self.limits, self.label, self.group, self.undo = launch.limits, launch.label, group, undo
        self.nested, self.confirms = program.nested, program.confirms
        self.status, output, artifact = pipes
        self.pid = 0
        self.partial = b""
        self.handles: list[int] = []
        """Descriptors of the outermost process and, if nested, of the init inside."""
        self.ending: tuple[Ending, str] | None = None
        self.ended = 0.0
        """When its end was decided, on the monotonic clock."""
        self.code: int | None = None
        self.ran = False
        self.finishing: asyncio.Task[None] | None = None
        self.error = ""
        self.cpu_seconds = 0.0
        self.began = time.monotonic()
        self.started: asyncio.Future[None] = self.loop.create_future()
        self.over: asyncio.Future[Exit] = self.loop.create_future()
        limits = self.limits
        self.output = PipeReader(output, limits.output_kept, limits.output_allowed, self.too_much_output)
        self.artifact = PipeReader(artifact, limits.file_size, limits.file_size, self.too_much_output)
        self.status.setblocking(False)
        self.loop.add_reader(self.status.fileno(), self.on_status)
        self.timer = self.loop.call_later(LOOK_EVERY, self.look)

    # What the runner calls.

    def kill(self, reason: str = "the match is over") -> None:
        if not self.finishing:
            self.end(Ending.KILLED, f"stopped by the match host: {reason}")

    def output_tail(self) -> bytes:
        return self.output.tail()

    async def wait(self) -> Exit:
        return await asyncio.shield(self.over)

    # What happens while it runs.

    def end(self, ending: Ending, reason: str) -> None:
        """Kill everything; the first reason given counts."""
        if self.ending is None:
            self.ending, self.ended = (ending, reason), time.monotonic()
        if not self.finishing:
            self.kill_all()

    def kill_all(self) -> None:
        """Kill the first process inside, and so all others; then the monitor, if it does not end by itself.

        Wait until there is a process inside: a monitor killed at the wrong moment might leave a child that
        nobody knows of. Only a start that hangs is ended without waiting.
        """
        now = time.monotonic()
        ready = len(self.handles) > self.nested or now - self.began > START_WITHIN
        silent = self.ending is not None and now - self.ended > TELLS_WITHIN
        for handle in (self.handles[::-1] if silent else self.handles[-1:]) if ready else []:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        if not self.nested and self.pid:
            self.group.kill()
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)  # it began its own session, and so its own group

    def too_much_output(self) -> None:
        self.end(Ending.OUTPUT, "it wrote more output, or built a larger program, than is allowed")

    def look(self) -> None:
        """Compare what was used with what is allowed."""
        self.timer = self.loop.call_later(LOOK_EVERY, self.look)
        if self.ending:
            self.kill_all()
            if time.monotonic() - self.ended > DIE_WITHIN:
                self.begin_to_finish()  # nobody reported its end: find out whether it has ended
                return
        if time.monotonic() - self.began > self.limits.wall_seconds:
            self.end(Ending.WALL, f"it ran for more than {self.limits.wall_seconds:g} seconds")
        if self.pid:
            self.measure()

    def measure(self) -> None:
        used, out_of_memory = self.group.look(self.pid)
        self.cpu_seconds = max(self.cpu_seconds, used)
        if out_of_memory:
            self.end(Ending.MEMORY, f"it asked for more than {self.limits.memory // 2**20} MiB of memory")
        if used > self.limits.cpu_seconds:
            self.end(Ending.CPU, f"it used more than {self.limits.cpu_seconds:g} seconds of CPU time")

    def on_status(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self.status, 4096, 1)
        self.handles += descriptors
        # Each message is a line; bubblewrap sends its own in pieces.
        *lines, self.partial = (self.partial + data).split(b"\n")
        for line in lines:
            self.heed(json.loads(line))
        if not data or self.code is not None:
            self.begin_to_finish()

    def begin_to_finish(self) -> None:
        self.loop.remove_reader(self.status.fileno())
        self.finishing = self.loop.create_task(self.finish())

    def heed(self, message: dict[str, Any]) -> None:
        self.pid = message.get("pid", self.pid)
        self.error = message.get("error", self.error)
        self.code = message.get("exit", self.code)
        # A monitor that was killed reports only its own time.
        self.cpu_seconds = max(self.cpu_seconds, message.get("cpu", 0.0))
        self.ran = self.ran or "exit-code" in message
        if "child-pid" in message:  # bubblewrap tells only the process id of its init
            self.handles += self.open_child(message["child-pid"])
        if len(self.handles) > self.nested and not self.started.done():
            self.started.set_result(None)
        if self.ending:
            self.kill_all()

    def open_child(self, pid: int) -> list[int]:
        """Return a descriptor of bubblewrap's child, unless the id has passed to another process."""
        try:
            handle = os.pidfd_open(pid)
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return []
        if parent == self.pid:
            return [handle]
        os.close(handle)
        return []

    # The end.

    async def finish(self) -> None:
        """Make sure that nothing is left, then say how it ended."""
        self.timer.cancel()
        try:
            self.measure()
            await self.clear()
            self.output.close()
            self.artifact.close()
            self.undo.close()
            self.over.set_result(self.judge())
        except Exception as error:  # noqa: BLE001  whoever waits must be told, whatever it is
            log.error("%s", error)
            self.over.set_exception(error if isinstance(error, SandboxError) else SandboxError(repr(error)))
        finally:
            self.status.close()
            for handle in self.handles:
                os.close(handle)
            if not self.started.done():
                self.started.set_result(None)

    async def clear(self) -> None:
        """Wait until everything is gone. Until then the slot stays taken, so that its uid is not reused."""
        deadline = time.monotonic() + DIE_WITHIN
        if not self.nested:
            self.kill_all()  # children may have outlived their parent
        while not (all(is_gone(handle) for handle in self.handles) and self.group.remove()):
            if time.monotonic() > deadline:
                raise SandboxError(f"The sandbox of {self.label} does not die: look at process {self.pid}.")
            self.kill_all()
            self.group.kill()
            await asyncio.sleep(0.002)

    def judge(self) -> Exit:
        if self.error:
            raise SandboxError(f"The sandbox of {self.label} could not be set up: {self.error}")
        if self.ending is None and self.code is None:
            raise SandboxError(f"The fork server died, and the sandbox of {self.label} with it.")
        if self.ending is None and self.confirms and not self.ran:
            raise SandboxError(f"The sandbox of {self.label} could not be set up: {self.output.tail()!r}")
        code, signal_number = split_code(self.code)
        ending, reason = self.ending or describe(code, signal_number)
        return Exit(
            ending=ending,
            reason=reason,
            code=code,
            signal=signal_number,
            cpu_seconds=self.cpu_seconds,
            wall_seconds=time.monotonic() - self.began,
            output=self.output.tail(),
            output_bytes=self.output.total,
            artifact=self.artifact.tail(),
        )


def is_gone(handle: int) -> bool:
    """Whether a process has ended and been reaped."""
    try:
        signal.pidfd_send_signal(handle, 0)
    except ProcessLookupError:
        return True
    return False


def split_code(code: int | None) -> tuple[int | None, int | None]:
    """Return exit code and signal; bubblewrap and our init report signals as the shell does, past 128."""
    if code is None or 0 <= code <= SHELL_SIGNALS:
        return code, None
    return None, -code if code < 0 else code - SHELL_SIGNALS


def describe(code: int | None, signal_number: int | None) -> tuple[Ending, str]:
    if signal_number is None:
        return Ending.EXITED, f"it exited with code {code}"
    if signal_number == signal.SIGXCPU:
        return Ending.CPU, "one of its processes used up its CPU time"
    if signal_number == signal.SIGXFSZ:
        return Ending.SIGNALLED, "it wrote a file larger than is allowed"
    if signal_number == signal.SIGSYS:
        return Ending.SIGNALLED, "it made a system call of another processor architecture"
    try:
        name = signal.Signals(signal_number).name
    except ValueError:
        name = str(signal_number)
    return Ending.SIGNALLED, f"it was killed by signal {name}"
