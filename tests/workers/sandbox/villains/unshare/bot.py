"""Makes namespaces of its own, in which it would have all rights."""

import ctypes
import os

from cast import attempt, call, libc

FLAGS = {
    "user": 0x10000000,
    "mount": 0x20000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x8000000,
    "uts": 0x4000000,
    "cgroup": 0x2000000,
    "time": 0x80,
}
CLONE = 56 if os.uname().machine == "x86_64" else 220


def unshare(flag: int) -> int:
    if libc.unshare(flag) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    return flag


def clone(flag: int) -> int:
    pid = call(CLONE, flag | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid


def enter(name: str) -> int:
    if libc.setns(os.open(f"/proc/1/ns/{name}", os.O_RDONLY), 0) < 0:
        raise OSError(ctypes.get_errno(), "setns")
    return 1


for name, flag in FLAGS.items():
    attempt(f"unshare {name}", lambda flag=flag: unshare(flag))
attempt("clone", lambda: clone(FLAGS["user"]))
attempt("clone3", lambda: call(435, (ctypes.c_uint64 * 11)(FLAGS["user"], 0, 0, 0, 17), 88))
attempt("setns", lambda: enter("mnt"))
