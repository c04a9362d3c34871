"""Stops its children, its threads and itself, again and again, and asks to be traced and to go slowly."""

import contextlib
import os
import signal
import threading
import time

from cast import attempt, libc


def trace_me() -> int:
    if libc.ptrace(0, 0, None, None) < 0:
        raise OSError("ptrace")
    return 0


def stop_others() -> None:
    while True:
        with contextlib.suppress(OSError):
            os.kill(-1, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.01)


attempt("ptrace", trace_me)
attempt("renice", lambda: os.setpriority(os.PRIO_PGRP, 0, 19))
for number in range(12):
    if os.fork() == 0:
        if number % 3 == 0:
            os.setsid()
        if number % 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        stop_others()
for _ in range(4):
    threading.Thread(target=stop_others, daemon=True).start()
stop_others()
