"""Fixtures of the sandbox tests; the harness plays villains' matches, as root and as an ordinary user."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workers.runtimes.kit import cache_folder, open_kit
from workers.sandbox.base import Exit, Launch, ResourceLimits, SandboxSettings
from workers.sandbox.choose import open_sandbox
from workers.sandbox.launcher import SandboxLauncher

HERE = Path(__file__).parent
PROJECT = HERE.parents[2]
ORDINARY = 64_999
"""A uid that nobody has."""


class Harness:
    """A process that plays matches; `opening` is what it said its sandboxes enforce."""

    def __init__(self, identity: str, kind: str = "bubblewrap") -> None:
        folder = self.folder = Path(tempfile.mkdtemp(prefix="aztlan-villains-"))
        folder.chmod(0o755)
        code, temporary = folder / "code", folder / "tmp"
        stage_code(code)
        temporary.mkdir()
        env = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary), "PYTHONPATH": str(code)}
        env["ARENA_RUNTIMES_CACHE"] = str(cache_folder())
        command = [sys.executable, str(code / "harness.py"), kind]
        if identity == "user" and os.geteuid() == 0:
            kit = open_kit()
            os.chown(temporary, ORDINARY, ORDINARY)
            become = ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups"]
            command = [*become, kit.python[0], *command[1:]]
            # The kit's own Python is another one than ours, so this host makes a kit of its own from it.
            cache = folder / "cache"
            cache.mkdir()
            os.chown(cache, ORDINARY, ORDINARY)
            env |= kit.env | {"ARENA_RUNTIMES_CACHE": str(cache)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd="/", text=True
        )
        self.opening = self.hear()

    def play(self, villain: str) -> dict[str, Any]:
        assert self.process.stdin
        self.process.stdin.write(villain + "\n")
        self.process.stdin.flush()
        return self.hear()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the harness ended"
        heard: dict[str, Any] = json.loads(line)
        return heard

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait() == 0
        shutil.rmtree(self.folder)


def stage_code(code: Path) -> None:
    """Copy what the harness needs to where an ordinary user can read it."""
    ignore = shutil.ignore_patterns("__pycache__")
    for package in ("workers", "engine", "proto"):
        shutil.copytree(PROJECT / package, code / package, ignore=ignore)
    if (PROJECT / "sdk/aztlan").is_dir():
        shutil.copytree(PROJECT / "sdk/aztlan", code / "aztlan", ignore=ignore)
    for name in ("villains", "honest"):
        shutil.copytree(HERE / name, code / name, ignore=ignore, symlinks=True)
    for name in ("harness.py", "cast.py"):
        shutil.copy(HERE / name, code)


@pytest.fixture(scope="session", params=["root", "user"])
def harness(request: pytest.FixtureRequest) -> Iterator[Harness]:
    if request.param == "root" and os.geteuid() != 0:
        pytest.skip("only root can test how a host that is root does")
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    harness = Harness(request.param)
    yield harness
    harness.close()


def open_launcher(**settings: Any) -> SandboxLauncher:
    return asyncio.run(open_sandbox(SandboxSettings(first_uid=71_100, **settings)))


@pytest.fixture(scope="session", params=["cold", "warm"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[SandboxLauncher]:
    """A sandbox of the default kind, with each way of starting."""
    launcher = open_launcher(warm=request.param == "warm")
    assert launcher.enforced.warm == (request.param == "warm")
    yield launcher
    asyncio.run(launcher.close())


@pytest.fixture(scope="session")
def cold() -> Iterator[SandboxLauncher]:
    launcher = open_launcher(warm=False)
    yield launcher
    asyncio.run(launcher.close())


@pytest.fixture
def bot_folder() -> Iterator[Path]:
    """An empty folder that sandboxes can reach; pytest's own temporary ones are closed to other users."""
    with tempfile.TemporaryDirectory(prefix="aztlan-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


Run = Callable[..., Awaitable[Exit]]


@pytest.fixture
def run(sandbox: SandboxLauncher, bot_folder: Path) -> Run:
    """Run a Python program in a sandbox until it ends."""

    async def run_program(program: str, **options: Any) -> Exit:
        (bot_folder / "bot.py").write_text(program)
        limits = ResourceLimits(**{"wall_seconds": 30, **options.pop("limits", {})})
        running = await sandbox.start(Launch("python", bot_folder, "bot.py", limits=limits, **options))
        return await running.wait()

    return run_program
