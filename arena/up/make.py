"""GNU make as our parent: end with it, also where it does not pass its signal on."""

import os
import signal
from pathlib import Path

from workers.tether import tether


def follow_make() -> None:
    """Ask the kernel to stop us when make ends, however it ends."""
    if "MAKELEVEL" in os.environ:
        tether(os.getppid(), signal.SIGTERM)


def make_was_interrupted() -> bool:
    """Return whether make got a SIGINT of its own, as from `kill -INT`.

    It takes for granted that its children got it too, and waits for them without end. From then on it no
    longer catches the signal, and that the kernel shows.
    """
    if "MAKELEVEL" not in os.environ:
        return False
    try:
        status = Path(f"/proc/{os.getppid()}/status").read_text()
    except OSError:
        return False
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    caught = int(fields["SigCgt"], 16)
    return fields["Name"] == "make" and not caught & (1 << (signal.SIGINT - 1))
