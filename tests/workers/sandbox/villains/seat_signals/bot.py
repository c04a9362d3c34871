"""Sits in every seat and tries to tell itself something, through whatever two sandboxes share.

All seats are asked their first question at once, and their second when all have answered: what is marked
before the first answer can be seen at the second question. Seats 0 and 1 mark, one after a cold and one after
a warm start; seats 3 and 2 look, started likewise. Signs that get through are printed as ESCAPED, those that
cannot be stopped, and are documented, as `known`.
"""

import ctypes
import fcntl
import mmap
import os
import threading
import time
from contextlib import suppress

import cast

MARKS = os.environ["SEAT_SECRET"].split("-")[2] in "01"
SHARED = os.open(os.__file__, os.O_RDONLY)
DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/stdin"]
FLAGS = os.O_NONBLOCK | os.O_APPEND
FUTEX = 202 if os.uname().machine == "x86_64" else 98
WAIT, WAKE = 0, 1
PAGE = 4096

cast.libc.mmap.restype = ctypes.c_void_p
page = cast.libc.mmap(None, ctypes.c_size_t(PAGE), mmap.PROT_READ, mmap.MAP_SHARED, SHARED, ctypes.c_long(0))


def times() -> dict[str, tuple[int, int]]:
    """Return the times of the devices, and of the input as it is seen from the outside."""
    found = {name: os.stat(name) for name in DEVICES if os.path.exists(name)}
    return {name: (status.st_atime_ns, status.st_mtime_ns) for name, status in found.items()}


def futex(operation: int, value: int, seconds: int = 60) -> int:
    timeout = (ctypes.c_long * 2)(seconds, 0)
    return int(cast.libc.syscall(FUTEX, ctypes.c_void_p(page), operation, value, timeout, None, 0))


def mark() -> None:
    fcntl.fcntl(0, fcntl.F_SETFL, FLAGS)
    for place in (*DEVICES[:-1], 0):
        with suppress(OSError):
            os.utime(place)
    value = int.from_bytes(ctypes.string_at(page, 4), "little")
    threading.Thread(target=futex, args=(WAIT, value), daemon=True).start()


def look() -> None:
    if times() != before:
        print("ESCAPED times:", before, times(), flush=True)
    if not MARKS and fcntl.fcntl(0, fcntl.F_GETFL) & FLAGS:
        print("ESCAPED flags of the input", flush=True)
    if not MARKS:
        deadline = time.monotonic() + 10
        while not (woken := futex(WAKE, 1)) and time.monotonic() < deadline:
            time.sleep(0.01)
        print("known futex" if woken else "held futex", flush=True)


def is_in_memory() -> int:
    if cast.libc.mincore(ctypes.c_void_p(page), ctypes.c_size_t(PAGE), ctypes.create_string_buffer(1)) < 0:
        raise OSError("mincore")
    return 1


def read_if_in_memory() -> int:
    try:
        return os.preadv(SHARED, [bytearray(1)], 0, os.RWF_NOWAIT)
    except BlockingIOError:
        return 0  # it is not, and that is an answer


cast.attempt("drop from memory", lambda: os.posix_fadvise(SHARED, 0, 0, os.POSIX_FADV_DONTNEED))
cast.attempt("page out", lambda: mmap.mmap(SHARED, 0, access=mmap.ACCESS_READ).madvise(21))
cast.attempt("see what is in memory", is_in_memory)
cast.attempt("read if in memory", read_if_in_memory)
before = times()
line = cast.Line()
for count, request in enumerate(line.questions(), 1):
    if count == 1 and MARKS:
        mark()
    elif count == 2:
        look()
    line.answer(request)
