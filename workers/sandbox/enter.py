# Paths are plain text here: this runs at every start, and pathlib is slow.
# ruff: noqa: PTH102, PTH103, PTH120, PTH211
"""A warm start: the forked child enters a sandbox by itself, built as bubblewrap would build it.

Three processes, as with bubblewrap: a monitor outside, an init inside that reaps, and the bot. The only
difference is that the bot is a copy of a warm process instead of a new program.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import stat
from collections.abc import Sequence
from typing import TypedDict

from workers.sandbox import linux

BASE = "/tmp"  # noqa: S108  any folder that surely exists: the new root is mounted over it, in our namespace only
READ_ONLY = linux.ATTR_RDONLY | linux.ATTR_NOSUID | linux.ATTR_NODEV
INSIDE_ID = 1000
MIB = 1024 * 1024


class EnterRequest(TypedDict):
    steps: Sequence[tuple[str, str, str, int]]
    """Of workers.sandbox.layout."""
    processes: int
    inodes: int
    argv: list[str]
    """The Python file to run, and its arguments."""


def enter(request: EnterRequest, program: bytes, status: socket.socket) -> None:
    """Isolate the calling process. Only the innermost one returns, to run the bot."""
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # a change of uid clears it, and then /proc/self is root's
    uid, gid = os.geteuid(), os.getegid()
    linux.unshare(linux.NEW_NAMESPACES)
    linux.write("/proc/self/setgroups", "deny")
    linux.write("/proc/self/uid_map", f"{INSIDE_ID} {uid} 1")
    linux.write("/proc/self/gid_map", f"{INSIDE_ID} {gid} 1")
    monitor = os.pidfd_open(os.getpid())
    bot = os.fork()
    if bot:
        socket.send_fds(status, [b'{"inner": true}\n'], [os.pidfd_open(bot)])
        wait_and_exit(bot)
    os.setsid()  # a signal to its own process group must not reach the monitor, which is outside
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if select.select([monitor], [], [], 0)[0]:
        os._exit(127)  # the monitor died just before, and nobody would have told us
    os.close(monitor)
    socket.sethostname("bot")
    linux.write("/proc/sys/user/max_user_namespaces", "0")  # of our namespace: no further ones inside
    build_root(request)
    # Set inside the namespace, they are counted apart from the user's other processes.
    resource.setrlimit(resource.RLIMIT_NPROC, (request["processes"], request["processes"]))
    linux.drop_capabilities()
    linux.install_filter(program)


def wait_and_exit(child: int) -> None:
    """Wait for the child with nothing open, and end as it did, in the shell's way of counting."""
    os.closerange(0, 64)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(code if code >= 0 else 128 - code)


def build_root(request: EnterRequest) -> None:
    """Mount the new root over BASE, step by step, and make it the only one."""
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    # All that is bound is opened first: the new root may cover some of it.
    trees = [linux.clone_tree(step[2]) if step[0] in {"bind", "device"} else -1 for step in request["steps"]]
    mount_memory(BASE, "755", MIB, request["inodes"])
    for (kind, target, source, size), tree in zip(request["steps"], trees, strict=True):
        place = BASE + target
        if kind == "symlink":
            os.symlink(source, place)
        elif kind == "readonly":
            linux.restrict_mount(place, linux.ATTR_RDONLY)
        elif kind == "tmpfs":
            os.mkdir(place)
            mount_memory(place, "755" if target == "/dev" else "1777", size, request["inodes"])
        elif kind == "proc":
            os.mkdir(place)
            linux.mount("proc", place, "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
        else:
            # A device can be written to all the same, but its times, which all sandboxes see, cannot be set.
            bind(tree, place, READ_ONLY & ~linux.ATTR_NODEV if kind == "device" else READ_ONLY)
    os.chdir(BASE)
    linux.pivot_root(".", ".")
    linux.unmount(".")
    os.chdir("/bot")


def mount_memory(place: str, mode: str, size: int, inodes: int) -> None:
    options = f"mode={mode},size={size},nr_inodes={inodes}"
    linux.mount("tmpfs", place, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, options)


def bind(tree: int, place: str, attributes: int) -> None:
    """Put a file or folder of the host in its place."""
    linux.restrict_tree(tree, attributes)
    if stat.S_ISDIR(os.fstat(tree).st_mode):
        os.makedirs(place, exist_ok=True)
    elif not os.path.lexists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.close(os.open(place, os.O_CREAT | os.O_EXCL, 0o444))
    linux.attach_tree(tree, place)
    os.close(tree)
