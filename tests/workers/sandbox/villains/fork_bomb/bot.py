"""Forks, and so do its children."""

import os
import time

from cast import attempt


def bomb() -> None:
    while os.fork():
        pass
    until = time.monotonic() + 2
    while time.monotonic() < until:
        try:
            os.fork()
        except OSError:
            continue
    os._exit(0)


attempt("forks", bomb)
time.sleep(1)
