"""Fixtures of the sandbox tests; the harness plays villains' matches, as root and as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workers.runtimes.kit import cache_folder, open_kit

HERE = Path(__file__).parent
PROJECT = HERE.parents[2]
ORDINARY = 64_999
"""A uid that nobody has."""


class Harness:
    """A process that plays matches; `opening` is what it said its sandboxes enforce."""

    def __init__(self, identity: str, folder: Path) -> None:
        self.identity = identity
        code, temporary = folder / "code", folder / "tmp"
        stage_code(code)
        temporary.mkdir()
        env = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary), "PYTHONPATH": str(code)}
        env["ARENA_RUNTIMES_CACHE"] = str(cache_folder())
        command = [sys.executable, str(code / "harness.py")]
        if identity == "user" and os.geteuid() == 0:
            kit = open_kit()
            os.chown(temporary, ORDINARY, ORDINARY)
            become = ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups"]
            command = [*become, kit.python[0], str(code / "harness.py")]
            env |= kit.env
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
        assert self.process.wait(timeout=30) == 0


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
    folder = Path(tempfile.mkdtemp(prefix="aztlan-villains-"))
    folder.chmod(0o755)
    harness = Harness(request.param, folder)
    yield harness
    harness.close()
    shutil.rmtree(folder)
