"""The Linux system calls that Python's standard library lacks, through the C library. Errors are OSError."""

from __future__ import annotations

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)

NEW_NAMESPACES = 0x7E020000
"""user, pid, net, ipc, uts, mount and cgroup."""
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_REC, MS_PRIVATE = 0x4000, 0x40000
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = -100, 0x1000, 0x8000
OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC = 1, 0o2000000
MOVE_MOUNT_F_EMPTY_PATH = 4

# These four numbers are the same on x86_64 and aarch64; pivot_root's is not.
SYS_OPEN_TREE, SYS_MOVE_MOUNT, SYS_MOUNT_SETATTR = 428, 429, 442
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 36, 38, 47, 4
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION = 0x20080522
LAST_CAPABILITY = 63


def check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def write(path: str, text: str) -> None:
    """Write to one of the kernel's files, in one piece."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def unshare(flags: int) -> None:
    check(libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    arguments = source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()
    check(libc.mount(*arguments), f"mount {kind or source} on {target}")


def unmount(target: str) -> None:
    check(libc.umount2(target.encode(), MNT_DETACH), f"unmount {target}")


def pivot_root(new: str, old: str) -> None:
    call = ctypes.c_long(SYS_PIVOT_ROOT[os.uname().machine])
    check(libc.syscall(call, new.encode(), old.encode()), "pivot_root")


class MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns"))


def clone_tree(path: str) -> int:
    """Return a descriptor of a detached copy of the mounts at a path."""
    flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE
    return check(
        libc.syscall(ctypes.c_long(SYS_OPEN_TREE), AT_FDCWD, path.encode(), flags), f"open_tree {path}"
    )


def restrict_tree(descriptor: int, attributes: int) -> None:
    """Add attributes such as read-only to a whole detached tree, before anybody can see it."""
    wanted = MountAttributes(set=attributes)
    call = ctypes.c_long(SYS_MOUNT_SETATTR)
    flags = AT_EMPTY_PATH | AT_RECURSIVE
    result = libc.syscall(call, descriptor, b"", flags, ctypes.byref(wanted), ctypes.c_size_t(32))
    check(result, "mount_setattr")


def restrict_mount(path: str, attributes: int) -> None:
    """Add attributes to the one mount at a path."""
    wanted = MountAttributes(set=attributes)
    call = ctypes.c_long(SYS_MOUNT_SETATTR)
    result = libc.syscall(call, AT_FDCWD, path.encode(), 0, ctypes.byref(wanted), ctypes.c_size_t(32))
    check(result, f"mount_setattr {path}")


def attach_tree(descriptor: int, target: str) -> None:
    call = ctypes.c_long(SYS_MOVE_MOUNT)
    result = libc.syscall(call, descriptor, b"", AT_FDCWD, target.encode(), MOVE_MOUNT_F_EMPTY_PATH)
    check(result, f"move_mount to {target}")


def prctl(option: int, value: int = 0, more: int = 0) -> None:
    check(libc.prctl(option, value, more, 0, 0), f"prctl {option}")


def drop_capabilities() -> None:
    """Give up every capability, for this process and everything it may ever run."""
    for capability in range(LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one this kernel knows
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    check(libc.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())), "capset")


class FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install_filter(program: bytes) -> None:
    """Install a seccomp filter; no_new_privs must be set already."""
    wanted = FilterProgram(len(program) // 8, program)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(wanted))
