"""Looks for processes that are not its own."""

import os
import signal
from pathlib import Path

from cast import attempt

HOST = int(os.environ["HOST_PID"])


def count_processes() -> list[str]:
    seen = [folder.name for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    if len(seen) > 1:
        return seen
    raise FileNotFoundError(f"only {seen}")


attempt("see the host", lambda: os.listdir(f"/proc/{HOST}"))
attempt("signal the host", lambda: os.kill(HOST, 0))
attempt("hold the host", lambda: os.pidfd_open(HOST))
attempt("see many", count_processes)
attempt("signal its group", lambda: os.killpg(HOST, 0))
attempt("signal everybody", lambda: os.kill(-1, signal.SIGKILL))
