"""Finds out how a host can limit its sandboxes: by cgroup v2 where delegated, cgroup v1, or rlimits."""

from __future__ import annotations

import itertools
import logging
import os
from pathlib import Path
from typing import NamedTuple

from workers.sandbox import cgroup_v1, cgroup_v2
from workers.sandbox.base import IsolationError, ResourceLimits
from workers.sandbox.resource_groups import ResourceGroups, WatchedGroups

log = logging.getLogger(__name__)
numbers = itertools.count(1)


class Hierarchy(NamedTuple):
    """A mounted cgroup hierarchy and our own group in it."""

    version: int
    controllers: frozenset[str]
    group: Path


def find_groups() -> ResourceGroups:
    """Return the strongest kind that really works here: each is tried by making a cage and giving it back."""
    hierarchies = read_hierarchies(
        Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text()
    )
    for candidate in (v2_groups, v1_groups):
        try:
            groups = candidate(hierarchies)
            if groups is None:
                continue
            sweep(groups)
            groups.open(group_label(), ResourceLimits()).remove()
        except OSError as error:
            log.info("cannot use %s: %s", candidate.__name__, error)
            continue
        return groups
    if not Path(f"/proc/self/task/{os.getpid()}/children").exists():
        raise IsolationError("Nothing limits bots here: no cgroup is ours, and the kernel tells no children.")
    return WatchedGroups()


def group_label() -> str:
    """Name a cage by the process that owns it, so that what a dead one left can be told and removed."""
    return f"aztlan-{os.getpid()}-{next(numbers)}"


def v2_groups(hierarchies: list[Hierarchy]) -> cgroup_v2.CgroupsV2 | None:
    for hierarchy in hierarchies:
        if hierarchy.version == 2 and hierarchy.controllers.issuperset(cgroup_v2.NEEDED):
            return cgroup_v2.CgroupsV2(cgroup_v2.take_delegation(hierarchy.group))
    return None


def v1_groups(hierarchies: list[Hierarchy]) -> cgroup_v1.CgroupsV1 | None:
    groups = {
        controller: hierarchy.group
        for hierarchy in hierarchies
        if hierarchy.version == 1
        for controller in hierarchy.controllers.intersection(cgroup_v1.NEEDED)
    }
    return cgroup_v1.CgroupsV1(groups) if len(groups) == len(cgroup_v1.NEEDED) else None


def read_hierarchies(mounts: str, groups: str) -> list[Hierarchy]:
    """Read the hierarchies from the texts of /proc/self/mountinfo and /proc/self/cgroup."""
    rows = [line.split(":", 2) for line in groups.splitlines()]
    own = {frozenset(filter(None, controllers.split(","))): inside for _, controllers, inside in rows}
    found = []
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        kind, _, options = after.split()
        if kind == "cgroup2":
            group = own_group(Path(point), root, own.get(frozenset(), "/"))
            found.append(Hierarchy(2, available(group), group))
        elif kind == "cgroup":
            for controllers, inside in own.items():
                if controllers and controllers.issubset(options.split(",")):
                    found.append(Hierarchy(1, controllers, own_group(Path(point), root, inside)))
    return found


def own_group(point: Path, root: str, inside: str) -> Path:
    """Return where our group is mounted; a container may see only a part of the tree, its root at `root`."""
    return point / os.path.relpath(inside, root) if inside.startswith(root) else point


def available(group: Path) -> frozenset[str]:
    try:
        return frozenset((group / "cgroup.controllers").read_text().split())
    except OSError:
        return frozenset()


def sweep(groups: cgroup_v1.CgroupsV1 | cgroup_v2.CgroupsV2) -> None:
    """Remove the cages of match hosts that died without doing so."""
    parents = groups.groups.values() if isinstance(groups, cgroup_v1.CgroupsV1) else [groups.group]
    for parent in parents:
        for folder in parent.glob("aztlan-*-*"):
            owner = folder.name.split("-")[1]
            if not Path("/proc", owner).exists():
                cgroup_v1.remove_group(folder)
