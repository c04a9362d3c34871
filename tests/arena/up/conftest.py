"""A whole arena in a process group of its own, as `make up` starts it."""

import os
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from arena.embedded.home import Home
from arena.embedded.leftovers import leftovers

Starter = Callable[..., "RunningArena"]


class RunningArena:
    def __init__(self, home: Home, **variables: str) -> None:
        self.home = home
        with socket.socket() as probe:  # a port that is free now
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        unset = {"DATABASE_URL", "REDIS_URL", "MAKELEVEL"}
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena.up"],
            env={**environment, "ARENA_HOME": str(home.path), "PORT": str(self.port), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []

    def wait_for(self, words: str) -> str:
        """Return the first line that has the words; end with all that was printed where none comes."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"the arena ended without saying {words!r}:\n" + "".join(self.lines))

    def wait_until_ready(self) -> "RunningArena":
        self.wait_for("The arena runs at")
        return self

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=120) as answer:
            return str(answer.read().decode())

    def end(self) -> str:
        """Read to the end and return everything that was printed."""
        output, _ = self.process.communicate(timeout=500)
        return "".join(self.lines) + output

    def processes(self) -> list[psutil.Process]:
        return list(leftovers(self.home))


@pytest.fixture
def home() -> Iterator[Home]:
    with tempfile.TemporaryDirectory(prefix="arena-up-") as name:
        yield Home(Path(name) / "home")


@pytest.fixture
def start(home: Home) -> Iterator[Starter]:
    started: list[RunningArena] = []

    def start_arena(**variables: str) -> RunningArena:
        started.append(RunningArena(home, **variables))
        return started[-1]

    yield start_arena
    for arena in started:
        arena.process.kill()
        arena.process.communicate()
    psutil.wait_procs(list(leftovers(home)), timeout=120)
