"""GNU make as our parent: end with it, also where it does not pass its signal on."""

import os
import signal
from pathlib import Path

from workers.tether import tether


class Make:
    def __init__(self) -> None:
        self.is_parent = "MAKELEVEL" in os.environ
        if self.is_parent:
            tether(os.getppid(), signal.SIGTERM)  # however it ends
        # A make in the background of a script ignores SIGINT from the start; that means nothing.
        self.caught_at_first = self.is_parent and catches(os.getppid(), signal.SIGINT)

    def was_interrupted(self) -> bool:
        """Return whether make got a SIGINT of its own, as from `kill -INT`.

        It takes for granted that its children got it too, and waits for them without end. From then on it no
        longer catches the signal, and that the kernel shows.
        """
        return self.caught_at_first and not catches(os.getppid(), signal.SIGINT)


def catches(pid: int, number: signal.Signals) -> bool:
    """Return whether the process has a handler for the signal (Linux; elsewhere nothing is known)."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    mask = next(int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:"))
    return bool(mask & (1 << (number - 1)))
