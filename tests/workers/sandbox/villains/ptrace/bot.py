"""Tries to become another process."""

import ctypes
import os

from cast import attempt, libc


def trace(request: int, pid: int) -> int:
    if libc.ptrace(request, pid, None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return pid


def write_memory() -> list[str]:
    """Write another's memory; all there is here is its own."""
    found = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    if not found:
        raise FileNotFoundError("nobody else is here")
    return [name for name in found if os.open(f"/proc/{name}/mem", os.O_RDWR)]


def read_remotely(function: str) -> int:
    if getattr(libc, function)(1, None, 0, None, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), function)
    return 1


attempt("traceme", lambda: trace(0, 0))
attempt("attach", lambda: trace(16, os.getppid()))
attempt("seize", lambda: trace(0x4206, 1))
attempt("process_vm_readv", lambda: read_remotely("process_vm_readv"))
attempt("process_vm_writev", lambda: read_remotely("process_vm_writev"))
attempt("memory of others", write_memory)
