"""GNU make keeps a SIGINT that it alone gets to itself; we notice all the same."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHILD = """
import signal, time
from arena.up.make import Make
make = Make()
print("watching", make.caught_at_first, flush=True)
while not make.was_interrupted():
    time.sleep(0.05)
print("interrupted", flush=True)
"""

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="GNU make is not installed")


def run_make(folder: Path, **options: Any) -> subprocess.Popen[str]:
    (folder / "child.py").write_text(CHILD)
    (folder / "Makefile").write_text(f"run:\n\t@exec {sys.executable} {folder / 'child.py'}\n")
    command = ["make", "--no-print-directory", "-f", str(folder / "Makefile"), "run"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options)


def test_a_signal_to_make_alone_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    make = run_make(tmp_path)
    assert make.stdout is not None
    assert make.stdout.readline() == "watching True\n"
    make.send_signal(signal.SIGINT)
    assert make.stdout.readline() == "interrupted\n"
    make.wait()
    make.stdout.close()


def test_a_make_that_ignores_the_signal_from_the_start_is_not_taken_for_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    make = run_make(tmp_path, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    assert make.stdout is not None
    assert make.stdout.readline() == "watching False\n"
    make.terminate()
    make.wait()
    make.stdout.close()
