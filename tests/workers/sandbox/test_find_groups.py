"""How a host finds the cgroups it may use, from what the kernel says of them."""

import os
import subprocess
from pathlib import Path

import pytest

from workers.sandbox.base import ResourceLimits
from workers.sandbox.cgroup_v1 import CgroupsV1
from workers.sandbox.cgroup_v2 import CgroupsV2
from workers.sandbox.find_groups import (
    find_groups,
    group_label,
    read_hierarchies,
    sweep,
    v1_groups,
    v2_groups,
)
from workers.sandbox.resource_groups import WatchedGroups

V1_MOUNTS = """\
30 24 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct
31 24 0:27 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory
32 24 0:28 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids
33 24 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd
34 24 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
35 24 0:31 / /proc rw - proc proc rw
"""
V1_GROUPS = "5:cpu,cpuacct:/hosts\n4:memory:/hosts/one\n3:pids:/\n2:name=systemd:/init\n0::/\n"


def test_cgroup_v1_is_found_by_controller_below_our_own_groups() -> None:
    groups = v1_groups(read_hierarchies(V1_MOUNTS, V1_GROUPS))
    assert groups
    assert groups.groups == {
        "cpu": Path("/sys/fs/cgroup/cpu,cpuacct/hosts"),
        "cpuacct": Path("/sys/fs/cgroup/cpu,cpuacct/hosts"),
        "memory": Path("/sys/fs/cgroup/memory/hosts/one"),
        "pids": Path("/sys/fs/cgroup/pids"),
    }


def test_without_a_memory_controller_there_is_no_cage_of_v1() -> None:
    mounts = "\n".join(line for line in V1_MOUNTS.splitlines() if "memory" not in line)
    assert v1_groups(read_hierarchies(mounts, V1_GROUPS)) is None


def test_a_container_sees_its_own_group_as_the_root_of_the_mount() -> None:
    mounts = "40 30 0:26 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
    (hierarchy,) = read_hierarchies(mounts, "4:memory:/docker/abc\n")
    assert hierarchy.group == Path("/sys/fs/cgroup/memory")


def test_cgroup_v2_without_controllers_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu pids\n")
    hierarchies = read_hierarchies(f"40 30 0:26 / {tmp_path} rw - cgroup2 cgroup2 rw\n", "0::/\n")
    assert [one.version for one in hierarchies] == [2]
    assert v2_groups(hierarchies) is None


def test_what_is_found_here_works_and_can_be_given_back() -> None:
    groups = find_groups()
    label = group_label()
    group = groups.open(label, ResourceLimits())
    with subprocess.Popen(["sleep", "60"]) as process:
        for join in group.joins:
            Path(join).write_text(str(process.pid))
        usage = group.look(process.pid)
        assert usage.cpu_seconds >= 0
        assert not usage.out_of_memory
        if isinstance(groups, WatchedGroups):
            process.kill()
        else:
            assert not group.remove()
            group.kill()
        process.wait()
    assert group.remove()
    assert not list(Path("/sys/fs/cgroup").rglob(label))


def test_the_cages_of_a_dead_host_are_swept() -> None:
    groups = find_groups()
    if not isinstance(groups, CgroupsV1 | CgroupsV2):
        pytest.skip("no cgroup to be used here")
    with subprocess.Popen(["true"]) as process:
        process.wait()
        left = f"aztlan-{process.pid}-1"
    groups.open(left, ResourceLimits())
    ours = groups.open(group_label(), ResourceLimits())
    sweep(groups)
    assert not list(Path("/sys/fs/cgroup").rglob(left))
    assert all(Path(join).exists() for join in ours.joins)
    assert ours.remove()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is given cgroups without asking")
def test_a_cgroup_hosts_limits_are_in_force() -> None:
    groups = find_groups()
    if not isinstance(groups, CgroupsV1):
        pytest.skip("the host has another kind of cgroup")
    label = group_label()
    group = groups.open(label, ResourceLimits(memory=2**26, processes=7, cpu_share=0.5))
    read = {
        name: (groups.groups[controller] / label / name).read_text().strip() for controller, name in FILES
    }
    assert group.remove()
    assert list(read.values()) == [str(2**26), "7", "50000"]


FILES = (("memory", "memory.limit_in_bytes"), ("pids", "pids.max"), ("cpu", "cpu.cfs_quota_us"))
