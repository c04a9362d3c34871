"""Isolation by a second kernel: gVisor's runsc answers a bot's system calls itself."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from workers.runtimes.base import BotCommand
from workers.sandbox.base import MIB, IsolationError, Launch
from workers.sandbox.enter import INSIDE_ID
from workers.sandbox.layout import BOT_FOLDER, LayoutStep, layout
from workers.sandbox.program import SandboxProgram

FLAGS = ("--rootless", "--ignore-cgroups", "--platform=ptrace", "--network=none", "--host-uds=open")


class Gvisor:
    """runsc runs rootless under the slot's uid, so that even a broken second kernel has no rights.

    Its state is in a folder of the slot; the bundle, which says what to run, belongs to the host.
    """

    own_processes = 192
    own_memory = 128 * MIB
    socket_mode = 0o666
    """For the second kernel the socket is root's and the bot another user. Nobody can list its folder."""
    host_processes = False

    def __init__(self) -> None:
        found = shutil.which("runsc")
        if not found:
            raise IsolationError(
                "gVisor is not installed: `apt-get install runsc`, or choose another sandbox."
            )
        self.runsc = found

    def program(
        self, launch: Launch, command: BotCommand, env: dict[str, str], uid: int | None
    ) -> SandboxProgram:
        folder = Path(tempfile.mkdtemp(prefix="aztlan-gvisor-"))
        folder.chmod(0o755)
        bundle, state = folder / "bundle", folder / "state"
        state.mkdir(mode=0o700)
        if uid is not None:
            os.chown(state, uid, uid)
        steps = layout(command, launch)
        make_root(bundle / "root", steps)
        (bundle / "config.json").write_text(json.dumps(configuration(steps, command, env, launch)))
        argv = [self.runsc, f"--root={state}", *FLAGS, "run", f"--bundle={bundle}", folder.name]
        return SandboxProgram(argv, {"PATH": "/usr/bin:/bin", "TMPDIR": str(state)}, folders=[folder])


def make_root(root: Path, steps: list[LayoutStep]) -> None:
    """Make the folders, files and links that things are mounted on; runsc cannot write here."""
    root.mkdir(parents=True)
    for step in steps:
        place = root / step.target.lstrip("/")
        if step.target.startswith(("/proc", "/dev")):
            continue  # the second kernel has its own
        if step.kind == "symlink":
            place.symlink_to(step.source)
        elif step.kind == "bind" and not Path(step.source).is_dir():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        else:
            place.mkdir(parents=True, exist_ok=True)
    (root / "proc").mkdir()
    (root / "dev").mkdir()


def configuration(
    steps: list[LayoutStep], command: BotCommand, env: dict[str, str], launch: Launch
) -> dict[str, Any]:
    """Return the OCI configuration of a container."""
    limits = {"RLIMIT_NOFILE": launch.limits.open_files, "RLIMIT_FSIZE": launch.limits.file_size}
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": INSIDE_ID, "gid": INSIDE_ID},
            "args": list(command.argv),
            "env": [f"{name}={value}" for name, value in env.items()],
            "cwd": BOT_FOLDER,
            "capabilities": {},
            "noNewPrivileges": True,
            "rlimits": [{"type": name, "soft": value, "hard": value} for name, value in limits.items()],
        },
        "root": {"path": "root", "readonly": True},
        "hostname": "bot",
        "mounts": [mount for step in steps for mount in mounts_of(step)],
        "linux": {"namespaces": [{"type": name} for name in ("pid", "network", "ipc", "uts", "mount")]},
    }


def mounts_of(step: LayoutStep) -> list[dict[str, Any]]:
    if step.kind == "proc":
        return [{"type": "proc", "destination": step.target}]
    if step.target.startswith(("/proc", "/dev/")) or step.kind in {"symlink", "readonly"}:
        return []
    if step.kind == "bind":
        return [
            {"type": "bind", "destination": step.target, "source": step.source, "options": ["rbind", "ro"]}
        ]
    return [{"type": "tmpfs", "destination": step.target, "options": [f"size={step.size}", "mode=1777"]}]
