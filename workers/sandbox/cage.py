"""Cages hold the limits of one sandbox: a cgroup where the host has one to give, else the host's own eyes."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple, Protocol

from workers.sandbox.base import Limits

TICKS = os.sysconf("SC_CLK_TCK")
OWN_MEMORY = re.compile(r"^Pss_(?:Anon|Shmem):\s+(\d+) kB$", re.MULTILINE)


class Usage(NamedTuple):
    """What a sandbox has used so far."""

    cpu_seconds: float
    out_of_memory: bool
    """Whether something inside wanted more memory than allowed."""


class Cage(Protocol):
    """The limits of one sandbox."""

    joins: list[str]
    """Files that a process writes itself into to be caged, with all its children."""

    def look(self, pid: int) -> Usage:
        """Tell what the sandbox has used; `pid` is its outermost process."""

    def kill(self) -> None:
        """Kill everything inside."""

    def remove(self) -> bool:
        """Give the cage back; False while something in it is still dying."""


class Cages(Protocol):
    """Where a host's cages come from."""

    name: str

    def open(self, label: str, limits: Limits) -> Cage:
        """Make a cage with its limits in force."""


class WatchedCages:
    """No cgroup: a bot's processes are found through /proc and added up, a few times a second.

    Between two looks a bot can pass its limits; the rlimits of its processes bound by how much.
    """

    name = "rlimits"

    def open(self, label: str, limits: Limits) -> Cage:  # noqa: ARG002
        return WatchedCage(limits)


class WatchedCage:
    def __init__(self, limits: Limits) -> None:
        self.joins: list[str] = []
        self.limits = limits

    def look(self, pid: int) -> Usage:
        inside = descendants(pid)
        ticks = sum(process.ticks for process in inside)
        memory = sum(memory_of(process.pid) for process in inside)
        return Usage(ticks / TICKS, memory > self.limits.memory)

    def kill(self) -> None:
        """Nothing to add: the keeper kills the namespace's init, and that is the death of all."""

    def remove(self) -> bool:
        return True


class Process(NamedTuple):
    pid: int
    parent: int
    ticks: int
    """Run by it and by its children that have been waited for."""


def descendants(pid: int) -> list[Process]:
    """Return a process and all below it. Nobody escapes upwards: a namespace's orphans go to its init."""
    children = defaultdict(list)
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (process := read_process(folder)):
            children[process.parent].append(process)
            if process.pid == pid:
                found.append(process)
    for process in found:  # grows while it is walked
        found += children[process.pid]
    return found


def read_process(folder: Path) -> Process | None:
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None  # it ended while we looked
    return Process(int(folder.name), int(fields[1]), sum(int(field) for field in fields[11:15]))


def memory_of(pid: int) -> int:
    """Return the bytes that a process uses, files aside; what it shares counts by its part."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0  # it ended, or never had memory of its own
    return sum(map(int, OWN_MEMORY.findall(text))) * 1024
