"""Whether this host is stopping: set once by the main process, seen by all processes that it forked."""

import multiprocessing
import time

# Shared memory, made before any fork. All processes of a machine have the same monotonic clock.
_since = multiprocessing.Value("d", 0.0, lock=False)


def begin() -> None:
    _since.value = _since.value or time.monotonic()


def is_over(seconds: float) -> bool:
    """Return whether the host has been stopping for this long."""
    return bool(_since.value) and time.monotonic() - _since.value > seconds
