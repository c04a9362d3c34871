"""What holds the limits of one sandbox: a cgroup if the host has one, else a watch over its processes."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple, Protocol

from workers.sandbox.base import ResourceLimits

TICKS = os.sysconf("SC_CLK_TCK")
OWN_MEMORY = re.compile(r"^(?:Rss|Pss_)(?:Anon|Shmem):\s+(\d+) kB$", re.MULTILINE)


class Usage(NamedTuple):
    """What a sandbox has used so far."""

    cpu_seconds: float
    out_of_memory: bool
    """Whether something inside asked for more memory than allowed."""


class ResourceGroup(Protocol):
    """The limits of one sandbox."""

    joins: list[str]
    """Files that a process writes its id to in order to join, with all its children."""

    def look(self, pid: int) -> Usage:
        """Return what the sandbox has used; `pid` is its outermost process."""

    def kill(self) -> None:
        """Kill everything inside."""

    def remove(self) -> bool:
        """Remove the group; return False while something in it is still dying."""


class ResourceGroups(Protocol):
    """Where a host's resource groups come from."""

    name: str

    def open(self, label: str, limits: ResourceLimits) -> ResourceGroup:
        """Make a group with its limits in force."""


class WatchedGroups:
    """No cgroup: a bot's processes are found through /proc and added up, a few times per second.

    The rlimits and the filter keep each single process within the memory limit at any time. Only the sum over
    all processes can exceed it, between two looks.
    """

    name = "rlimits"

    def open(self, label: str, limits: ResourceLimits) -> ResourceGroup:  # noqa: ARG002  the others need it
        return WatchedGroup(limits)


class WatchedGroup:
    def __init__(self, limits: ResourceLimits) -> None:
        self.joins: list[str] = []
        self.limits = limits

    def look(self, pid: int) -> Usage:
        inside = descendants(pid)
        ticks = sum(process.ticks for process in inside)
        # The cheap figure first, which counts shared memory repeatedly. Look closer only if it is too high.
        over = all(
            sum(memory_of(process, file) for process in inside) > self.limits.memory
            for file in ("status", "smaps_rollup")
        )
        return Usage(ticks / TICKS, over)

    def kill(self) -> None:
        """Do nothing: the launcher kills the namespace's init, and everything dies with it."""

    def remove(self) -> bool:
        return True


class Process(NamedTuple):
    pid: int
    ticks: int
    """CPU time of it and of its children that have been reaped."""
    threads: tuple[str, ...]


def descendants(pid: int) -> list[Process]:
    """Return a process and all its descendants. None can escape: a namespace's orphans stay in it."""
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        try:
            fields = Path(f"/proc/{current}/stat").read_text().rpartition(")")[2].split()
            threads = tuple(os.listdir(f"/proc/{current}/task"))  # noqa: PTH208  pathlib is slow
            for thread in threads:
                waiting += map(int, Path(f"/proc/{current}/task/{thread}/children").read_text().split())
        except OSError:
            continue  # it ended while we looked
        found.append(Process(current, sum(int(field) for field in fields[11:15]), threads))
    return found


def memory_of(process: Process, file: str) -> int:
    """Return the bytes that a process uses, files aside, as its status or smaps_rollup has them.

    A thread that has ended shows none, even if it was the first and others still run: ask each in turn.
    """
    for thread in process.threads:
        try:
            text = Path(f"/proc/{process.pid}/task/{thread}/{file}").read_text()
        except OSError:
            continue  # it ended
        if found := OWN_MEMORY.findall(text):
            return sum(map(int, found)) * 1024
    return 0
