"""Ties a process to its parent's life, so that a `kill -9` of the parent leaves no orphan."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
# Loaded before any fork, so that the child only makes the call.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def tether(parent: int, death: signal.Signals) -> None:
    """Ask the kernel to send this process `death` when its parent ends (Linux; elsewhere nothing happens).

    It outlasts an exec, but not a change of user: call it after that. The parent itself must say who it is: a
    process that takes seconds to start may have lost its parent by the time it asks, and would outlive it.
    """
    if _LIBC is None:
        return
    _LIBC.prctl(PR_SET_PDEATHSIG, death)
    if os.getppid() != parent:  # it ended before the kernel was asked
        os.kill(os.getpid(), death)
