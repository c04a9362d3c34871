"""What a program sees of the file system: a list of steps for each kind of sandbox to carry out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from workers.runtimes.base import BotCommand, Mount
from workers.sandbox.base import MIB, Launch, SandboxError

BOT_FOLDER = "/bot"
SEAT_SOCKET = "/run/seat.sock"
ARTIFACT = "/run/built"
SYSTEM_FOLDERS = ("/bin", "/lib", "/lib32", "/lib64", "/sbin")
DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICES_WITHOUT_CGROUP = ("null", "full", "random", "urandom")
"""Without /dev/zero: mapped and shared, it gives memory that only a cgroup counts."""
DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}


class LayoutStep(NamedTuple):
    """One thing to set up inside: `kind` is bind, device, tmpfs, proc, symlink or readonly."""

    kind: str
    target: str
    source: str = ""
    size: int = 0


def layout(command: BotCommand, launch: Launch, devices: Iterable[str] = DEVICES) -> list[LayoutStep]:
    """Return the steps that make the root of a sandbox, in order; everything bound is read-only."""
    limits = launch.limits
    steps = [LayoutStep("tmpfs", "/dev", size=MIB)]
    steps += [LayoutStep("device", f"/dev/{name}", f"/dev/{name}") for name in devices]
    steps += [LayoutStep("symlink", f"/dev/{name}", to) for name, to in DEVICE_LINKS.items()]
    steps += [LayoutStep("tmpfs", "/dev/shm", size=MIB), LayoutStep("tmpfs", "/tmp", size=limits.tmp_size)]  # noqa: S108  of the sandbox
    steps += bind_all(command.mounts)
    steps += [LayoutStep("proc", "/proc"), LayoutStep("bind", "/proc/sys", "/proc/sys")]
    steps.append(LayoutStep("bind", BOT_FOLDER, str(launch.folder)))
    if launch.artifact:
        steps.append(LayoutStep("bind", ARTIFACT, str(launch.artifact)))
    if launch.socket:
        steps.append(LayoutStep("bind", SEAT_SOCKET, str(launch.socket)))
    return [*steps, LayoutStep("readonly", "/dev"), LayoutStep("readonly", "/")]


def bind_all(mounts: Iterable[Mount]) -> Iterator[LayoutStep]:
    """Bind what a runtime needs, and the system's top folders as they are: links into /usr, or folders."""
    for mount in mounts:
        yield LayoutStep("bind", mount.target, str(mount.source))
    yield from system_folders()


@cache  # looking them up for every bot would take longer than everything else here
def system_folders() -> tuple[LayoutStep, ...]:
    steps = []
    for folder in map(Path, SYSTEM_FOLDERS):
        if folder.is_symlink():
            steps.append(LayoutStep("symlink", str(folder), str(folder.readlink())))
        elif folder.is_dir() and folder.name.startswith("lib"):
            steps.append(LayoutStep("bind", str(folder), str(folder)))
    return tuple(steps)


def check_reachable(path: Path) -> None:
    """Raise SandboxError unless another user can reach a path, as binding it for a sandbox requires."""
    for folder in path.absolute().parents:
        if not folder.stat().st_mode & 0o001:
            raise SandboxError(
                f"No sandbox can reach {path}: {folder} is closed to other users. Open it (chmod o+x)."
            )
