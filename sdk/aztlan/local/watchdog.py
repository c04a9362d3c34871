"""Stop Python code of this process that runs for too long, on every system, without signals."""

import contextlib
import ctypes
import threading
from collections.abc import Iterator


class TooSlowError(BaseException):
    """Raised inside the bot's own code. No `except Exception` of the bot's stops it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in this thread's code once the time is up.

    Code that waits inside one call into C (a `time.sleep(1000)`) is ended when that call returns.
    """
    thread, lock, thinking = threading.get_ident(), threading.Lock(), True

    def end() -> None:
        with lock:
            if thinking:
                raise_in(thread, ctypes.py_object(TooSlowError))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            thinking = False
            timer.cancel()
            raise_in(thread, None)  # one that was sent and has not arrived yet is taken back


def raise_in(thread: int, error: object) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)
