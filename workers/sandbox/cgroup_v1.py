"""Resource groups by cgroup v1: one folder per controller, below the group of the match host itself."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from workers.sandbox.base import ResourceLimits
from workers.sandbox.resource_groups import ResourceGroup, Usage

NEEDED = ("memory", "pids", "cpu", "cpuacct")
PERIOD = 100_000
LOW_SHARES = 512
"""Half the usual weight: when CPUs are short, the match host goes first."""


class CgroupsV1:
    name = "cgroup v1"

    def __init__(self, groups: dict[str, Path]) -> None:
        """groups: for each controller, the folder in which to make resource groups."""
        self.groups = groups

    def open(self, label: str, limits: ResourceLimits) -> ResourceGroup:
        memory, pids, cpu = (self.groups[name] / label for name in ("memory", "pids", "cpu"))
        folders = sorted({group / label for group in self.groups.values()})
        group = GroupV1(folders, memory, self.groups["cpuacct"] / label)
        try:
            for folder in folders:
                folder.mkdir()
            write(memory / "memory.limit_in_bytes", limits.memory)
            if (memory / "memory.memsw.limit_in_bytes").exists():
                write(memory / "memory.memsw.limit_in_bytes", limits.memory)
            write(pids / "pids.max", limits.processes)
            write(cpu / "cpu.cfs_period_us", PERIOD)
            write(cpu / "cpu.cfs_quota_us", int(limits.cpu_share * PERIOD))
            write(cpu / "cpu.shares", LOW_SHARES)
        except OSError:
            group.remove()
            raise
        return group


class GroupV1:
    def __init__(self, folders: list[Path], memory: Path, accounting: Path) -> None:
        self.folders, self.memory, self.accounting = folders, memory, accounting
        # The joining process has one thread. Moving a whole process, by cgroup.procs, makes all others wait.
        self.joins = [str(folder / "tasks") for folder in folders]

    def look(self, pid: int) -> Usage:  # noqa: ARG002  the interface has it
        used = int((self.accounting / "cpuacct.usage").read_text()) / 1e9
        return Usage(used, count_in(self.memory / "memory.oom_control", "oom_kill") > 0)

    def kill(self) -> None:
        """Kill one process after another; what they fork meanwhile is found by the next call."""
        for folder in self.folders:
            with suppress(FileNotFoundError):  # removed already
                for pid in (folder / "cgroup.procs").read_text().split():
                    kill_member(int(pid), folder)

    def remove(self) -> bool:
        return sum(remove_group(folder) for folder in self.folders) == len(self.folders)


def kill_member(pid: int, group: Path) -> None:
    """Kill a process, unless its id now belongs to another one."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if str(pid) in (group / "cgroup.procs").read_text().split():
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except ProcessLookupError:
        pass
    finally:
        os.close(descriptor)


def remove_group(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False  # busy: something in it is still dying
    return True


def count_in(file: Path, word: str) -> int:
    """Return the number that follows a word in a cgroup's file, or 0 if it has none."""
    for line in file.read_text().splitlines():
        name, _, count = line.partition(" ")
        if name == word:
            return int(count)
    return 0


def write(file: Path, value: object) -> None:
    file.write_text(f"{value}")
