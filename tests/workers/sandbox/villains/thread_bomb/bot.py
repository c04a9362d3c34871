"""Starts threads without end."""

import os
import threading

from cast import attempt


def bomb() -> int:
    for _ in range(500):
        try:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        except RuntimeError as error:
            raise OSError(f"{threading.active_count()} threads") from error
    return threading.active_count()


attempt("threads", bomb)
os._exit(0)
