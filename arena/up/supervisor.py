"""Keep a set of programs running: show what they print, restart what ends, stop all of them together."""

import os
import selectors
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from arena.embedded.process import Program, ask_to_end, end_group, has_ended, spawn

TICK_SECONDS = 0.2
LONGEST_PAUSE = 30.0
# A program that ran this long has recovered; if it ends again, that is a new problem.
SETTLED_SECONDS = 60.0
COLOURS = (36, 32, 35, 33, 34, 31)


@dataclass(eq=False)
class Managed:
    """A program under supervision. `ready` is a word that it prints once it works, if it prints one."""

    program: Program
    ready: str | None = None
    stage: int = 0  # higher ones use lower ones, and are stopped first
    process: subprocess.Popen[bytes] | None = None
    is_ready: bool = False
    pause: float = 1.0
    started: float = 0.0
    start_again_at: float | None = None
    unfinished: bytes = field(default=b"", repr=False)


class Supervisor:
    """Single-threaded on purpose: children are tied to the thread that starts them."""

    def __init__(self) -> None:
        self.managed: list[Managed] = []
        self.selector = selectors.DefaultSelector()
        self.hurry = False  # asked to stop a second time

    def adopt(self, program: Program, process: subprocess.Popen[bytes]) -> None:
        """Take over a program that is already running."""
        self.managed.append(Managed(program, process=process, is_ready=True, started=time.monotonic()))

    def start(self, managed: Managed) -> None:
        if managed not in self.managed:
            self.managed.append(managed)
        managed.process = spawn(managed.program)
        managed.started, managed.start_again_at, managed.unfinished = time.monotonic(), None, b""
        managed.is_ready = managed.ready is None
        if managed.process.stdout:
            os.set_blocking(managed.process.stdout.fileno(), False)
            self.selector.register(managed.process.stdout, selectors.EVENT_READ, managed)

    def tick(self) -> None:
        """Show what was printed, and restart what has ended."""
        self.show_output()
        for managed in self.managed:
            if managed.start_again_at is None:
                if managed.process is not None and has_ended(managed.process):
                    self.plan_restart(managed)
            elif time.monotonic() >= managed.start_again_at:
                self.start(managed)

    def show_output(self) -> None:
        for key, _ in self.selector.select(TICK_SECONDS):
            self.read(key.data, cast(BinaryIO, key.fileobj))

    def plan_restart(self, managed: Managed) -> None:
        if time.monotonic() - managed.started > SETTLED_SECONDS:
            managed.pause = 1.0
        # Whatever is left of its process group must not run beside its successor.
        code = end_group(cast("subprocess.Popen[bytes]", managed.process))
        self.say(managed, f"ended with {code}; restarting in {managed.pause:.0f} s")
        managed.start_again_at = time.monotonic() + managed.pause
        managed.pause = min(managed.pause * 2, LONGEST_PAUSE)

    def read(self, managed: Managed, pipe: BinaryIO) -> None:
        data = os.read(pipe.fileno(), 65536)
        if not data:
            self.selector.unregister(pipe)
            pipe.close()
        *lines, managed.unfinished = (managed.unfinished + data).split(b"\n")
        for line in lines:
            text = line.decode(errors="replace").rstrip()
            managed.is_ready = managed.is_ready or bool(managed.ready and managed.ready in text)
            self.say(managed, text)

    def say(self, managed: Managed, text: str) -> None:
        name = f"{managed.program.name:10}|"
        if sys.stdout.isatty():
            name = f"\033[{COLOURS[self.managed.index(managed) % len(COLOURS)]}m{name}\033[0m"
        print(name, text, flush=True)

    def stop(self, grace: float) -> None:
        """Stop everything, in the order of who depends on whom."""
        for stage in sorted({managed.stage for managed in self.managed}, reverse=True):
            self.stop_group([managed for managed in self.managed if managed.stage == stage], grace)
        self.managed.clear()

    def stop_group(self, group: list[Managed], grace: float) -> None:
        processes = [managed.process for managed in group if managed.process]
        for managed in group:
            if managed.process:
                ask_to_end(managed.process, managed.program.stop_signal)
        deadline = time.monotonic() + grace
        while not all(map(has_ended, processes)) and time.monotonic() < deadline and not self.hurry:
            self.show_output()
        for process in processes:
            end_group(process)
