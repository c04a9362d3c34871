"""A match host that cannot work says why in one sentence and ends, before it takes any message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOST = [sys.executable, "-m", "celery", "--quiet", "-A", "workers.app", "worker", "-Q", "matches", "-c", "1"]


def start(folder: Path, **variables: str) -> tuple[int, str]:
    """Start a match host whose broker is away; return how it ended, and its last line."""
    known = {
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "ARENA_HOST_KEY": "key",
        "MATCH_HOST_FOLDER": str(folder),
        "PYTHONWARNINGS": "ignore",
    }
    done = subprocess.run(HOST, env={**os.environ, **known, **variables}, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("ARENA_SANDBOX", "docker", "ARENA_SANDBOX must be one of bubblewrap, gvisor, none, not 'docker'."),
        ("ARENA_SANDBOX", "none", "set ARENA_ALLOW_NO_ISOLATION=true."),
        ("ARENA_URL", "arena:8000", "ARENA_URL must be an address like https://arena.example.org"),
        ("MATCH_HOST_TABLES", "many", "MATCH_HOST_TABLES must be a whole number"),
        ("MATCH_HOST_LANGUAGES", "Cobol", "MATCH_HOST_LANGUAGES must be some of"),
        (
            "MATCH_HOST_FOLDER",
            "/proc/nowhere",
            "MATCH_HOST_FOLDER must be a folder that this host may write to",
        ),
    ],
)
def test_a_setting_with_which_it_cannot_play_ends_it(
    tmp_path: Path, variable: str, value: str, said: str
) -> None:
    code, last = start(tmp_path, **{variable: value})
    assert (code, said in last) == (1, True), last


def test_a_machine_that_cannot_isolate_bots_ends_it(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    code, last = start(tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}", ARENA_WARM_START="false")
    assert code == 1
    assert last.startswith("This host cannot isolate bots: ")
