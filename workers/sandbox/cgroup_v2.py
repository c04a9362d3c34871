"""Resource groups by cgroup v2, in a subtree delegated to the match host (systemd: `Delegate=yes`)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from workers.sandbox.base import ResourceLimits
from workers.sandbox.cgroup_v1 import PERIOD, count_in, remove_group, write
from workers.sandbox.resource_groups import ResourceGroup, Usage

NEEDED = ("cpu", "memory", "pids")
LOW_WEIGHT = 50
"""Half the usual weight: when CPUs are short, the match host goes first."""
HOST_GROUP = "aztlan-host"


class CgroupsV2:
    name = "cgroup v2"

    def __init__(self, group: Path) -> None:
        self.group = group

    def open(self, label: str, limits: ResourceLimits) -> ResourceGroup:
        folder = self.group / label
        folder.mkdir()
        try:
            write(folder / "memory.max", limits.memory)
            if (folder / "memory.swap.max").exists():
                write(folder / "memory.swap.max", 0)
            write(folder / "memory.oom.group", 1)
            write(folder / "pids.max", limits.processes)
            write(folder / "cpu.max", f"{int(limits.cpu_share * PERIOD)} {PERIOD}")
            write(folder / "cpu.weight", LOW_WEIGHT)
        except OSError:
            remove_group(folder)
            raise
        return GroupV2(folder)


class GroupV2:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.joins = [str(folder / "cgroup.procs")]

    def look(self, pid: int) -> Usage:  # noqa: ARG002  the interface has it
        used = count_in(self.folder / "cpu.stat", "usage_usec") / 1e6
        return Usage(used, count_in(self.folder / "memory.events", "oom_kill") > 0)

    def kill(self) -> None:
        write(self.folder / "cgroup.kill", 1)

    def remove(self) -> bool:
        return remove_group(self.folder)


def take_delegation(own: Path) -> Path:
    """Prepare the match host's group for children with limits, and return it.

    Raises OSError if the group was not delegated. A group whose children have limits must not hold processes
    itself, so ours move one level down. Only the root group may; it is the one without an events file.
    """
    group = own.parent if own.name == HOST_GROUP else own
    if (group / "cgroup.events").exists():
        (group / HOST_GROUP).mkdir(exist_ok=True)
        for pid in (group / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                write(group / HOST_GROUP / "cgroup.procs", pid)
    write(group / "cgroup.subtree_control", " ".join(f"+{name}" for name in NEEDED))
    return group
