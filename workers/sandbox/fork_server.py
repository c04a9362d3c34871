"""The process from which all sandboxes of a match host are forked.

It has one thread, which outlives every match, because sandboxes die with the thread that started them. For
warm starts it has imported what Python bots need. It never reads what is to be run: a forked child reads its
request from its own descriptor, so no bot's memory contains anything of another bot's.

A request is one packet on the control socket with four descriptors: the output pipe, the artifact pipe, the
status socket, and a file with the details. On the status socket, the child first tells its process id, and
the fork server finally tells how it ended. When the control socket closes, everything dies.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, TypedDict

from workers.runtimes import boot
from workers.sandbox import linux
from workers.sandbox.enter import EnterRequest, enter

OUTPUT, ARTIFACT, FILTER, STATUS = 1, 3, 4, 5
"""Descriptors of a forked child, once they are in place; 0 is an empty pipe and 2 is the output too."""


class ForkRequest(TypedDict):
    """What a forked child does before it runs a stranger's code."""

    cgroups: list[str]
    """The files by which to join the resource group."""
    limits: list[tuple[int, int, int]]
    """Kind, soft and hard value of each rlimit."""
    uid: int | None
    cpus: list[int] | None
    niceness: int
    filter: str
    """The seccomp filter in hexadecimal."""
    builds: bool
    """Whether the artifact pipe is needed."""
    env: dict[str, str]
    argv: list[str]
    """The program to execute, unless the child enters the sandbox itself."""
    enter: EnterRequest | None


def main() -> None:
    """Serve until the control socket (descriptor 0) closes; in a warm child, return when the bot ends."""
    control = socket.socket(fileno=os.dup(0))
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)  # takes the lowest free number, 0
    paths, preload = json.loads(control.recv(65536))
    sys.path[:0] = paths
    control.send(json.dumps([name for name in preload if not can_import(name)]).encode())
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a Ctrl-C in a terminal is for the match host alone
    gc.collect()
    gc.freeze()  # otherwise the first collection in each child would copy every page
    ours = [name for name in sys.modules if name.startswith(boot.__name__.removesuffix("runtimes.boot"))]
    descriptors = serve(control)
    control.close()
    if descriptors is not None:
        become(descriptors, ours)


def can_import(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def serve(control: socket.socket) -> list[int] | None:
    """Fork on request, and report how children end.

    Return None when the control socket closes, or in a forked child its descriptors.
    """
    # Orphans from sandboxes become our children to reap: a container's first process might never do it.
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    ended, wake = socket.socketpair()
    ended.setblocking(False)
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    children: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([control, ended], [], [])
        if ended in ready:
            ended.recv(4096)
            reap(children)
        if control in ready:
            request, descriptors, _, _ = socket.recv_fds(control, 16, 4, socket.MSG_CMSG_CLOEXEC)
            if not request:
                for pid in children:
                    os.kill(pid, signal.SIGKILL)
                return None
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                return descriptors
            children[pid] = socket.socket(fileno=descriptors.pop(2))
            for unused in descriptors:
                os.close(unused)


def reap(children: dict[int, socket.socket]) -> None:
    """Reap everything that has ended, and report the children that were requested."""
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid in children:
            report = children.pop(pid)
            tell(report, {"exit": os.waitstatus_to_exitcode(status), "cpu": used.ru_utime + used.ru_stime})
            report.close()


def tell(status: socket.socket, message: dict[str, Any], descriptors: list[int] | None = None) -> None:
    with suppress(OSError):  # the host may be gone; then everything dies with it
        socket.send_fds(status, [json.dumps(message).encode() + b"\n"], descriptors or [])


def become(descriptors: list[int], hidden: list[str]) -> None:
    """In a forked child: read the request, give up all rights, and execute the program or enter the sandbox.

    hidden: modules that bots must not see.
    """
    request = arrange(descriptors)
    status = socket.socket(fileno=STATUS)
    handle = os.pidfd_open(os.getpid())
    tell(status, {"pid": os.getpid()}, [handle])
    os.close(handle)
    try:
        give_up_rights(request)
        if request["enter"] is None:
            prepare_filter(bytes.fromhex(request["filter"]))
            os.execve(request["argv"][0], request["argv"], request["env"])  # noqa: S606  no shell is the point
        enter(request["enter"], bytes.fromhex(request["filter"]), status)
    except BaseException as error:  # noqa: BLE001  the host must be told, whatever it is
        tell(status, {"error": str(error) or repr(error)})
        os._exit(127)
    status.close()
    os.environ.clear()
    os.environ.update(request["env"])
    boot.run_and_leave(request["enter"]["argv"], hidden)


def arrange(descriptors: list[int]) -> ForkRequest:
    """Put the descriptors in their places, close all others, and read the request."""
    output, artifact, status, request_file = (raise_descriptor(descriptor) for descriptor in descriptors)
    with os.fdopen(request_file, "rb") as file:
        request: ForkRequest = json.load(file)
    give_empty_input()
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(ARTIFACT, STATUS)
    if request["builds"]:
        os.dup2(artifact, ARTIFACT)
    os.dup2(status, STATUS)
    os.closerange(STATUS + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return request


def give_empty_input() -> None:
    """Make standard input a pipe that only this child has and nobody writes to.

    Children could communicate through anything they share, even /dev/null: by its flags or its times.
    """
    empty, end = os.pipe()
    os.dup2(empty, 0)
    os.close(empty)
    os.close(end)


def raise_descriptor(descriptor: int) -> int:
    """Move a descriptor out of the way of the fixed numbers."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)
    os.close(descriptor)
    return moved


def give_up_rights(request: ForkRequest) -> None:
    parent = os.getppid()
    os.setsid()
    for cgroup in request["cgroups"]:
        linux.write(cgroup, "0")
    os.nice(request["niceness"])
    if request["cpus"] is not None:
        os.sched_setaffinity(0, request["cpus"])
    for kind, soft, hard in request["limits"]:
        resource.setrlimit(kind, (soft, hard))
    if request["uid"] is not None:
        os.setgroups([])
        os.setresgid(request["uid"], request["uid"], request["uid"])
        os.setresuid(request["uid"], request["uid"], request["uid"])
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    # After the change of uid, which clears it. Had the fork server died just before, no signal would come.
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(127)


def prepare_filter(program: bytes) -> None:
    """Leave the seccomp filter on its descriptor, for the program that is executed to load."""
    file = raise_descriptor(os.memfd_create("filter"))
    os.write(file, program)
    os.lseek(file, 0, os.SEEK_SET)
    os.dup2(file, FILTER)
