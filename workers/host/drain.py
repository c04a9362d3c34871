"""Whether this host is stopping: said once by the main process, heard by all that it forked."""

import multiprocessing
import time

# Shared memory, made before any fork. A monotonic clock is the same one in all processes of a machine.
_since = multiprocessing.Value("d", 0.0, lock=False)


def begin() -> None:
    _since.value = _since.value or time.monotonic()


def is_over(seconds: float) -> bool:
    """Return whether the host has been stopping for this long."""
    return bool(_since.value) and time.monotonic() - _since.value > seconds
