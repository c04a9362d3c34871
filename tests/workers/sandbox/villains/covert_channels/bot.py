"""Uses locks, watches and System V's objects to tell another sandbox something."""

import fcntl
import os
import struct

from cast import attempt, call, libc

SHARED = os.open("/usr/lib", os.O_RDONLY)
FILE = os.open(
    next(
        entry.path for entry in os.scandir("/usr/lib/" + os.uname().machine + "-linux-gnu") if entry.is_file()
    ),
    os.O_RDONLY,
)
X86 = os.uname().machine == "x86_64"
LOCK = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)


def watch() -> int:
    watcher = libc.inotify_init()
    if watcher < 0 or libc.inotify_add_watch(watcher, b"/usr/lib", 0xFFF) < 0:
        raise OSError("inotify")
    return watcher


attempt("flock", lambda: fcntl.flock(SHARED, fcntl.LOCK_EX | fcntl.LOCK_NB))
attempt("record lock", lambda: fcntl.fcntl(FILE, fcntl.F_SETLK, LOCK))
attempt("open file lock", lambda: fcntl.fcntl(FILE, 37, LOCK))
attempt("lease", lambda: fcntl.fcntl(FILE, 1024, fcntl.F_RDLCK))
attempt("notification", lambda: fcntl.fcntl(SHARED, 1026, 1))
attempt("inotify", watch)
attempt("shared memory", lambda: call(29 if X86 else 194, 4242, 4096, 0o1666))
attempt("semaphores", lambda: call(64 if X86 else 190, 4242, 1, 0o1666))
attempt("messages", lambda: call(68 if X86 else 186, 4242, 0o1666))
attempt("message queue", lambda: call(240 if X86 else 180, b"villains", 0o102, 0o666, None))
