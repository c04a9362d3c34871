"""Opens the sandbox that the operator chose, after checking what this host can really enforce."""

from __future__ import annotations

import dataclasses
import logging
import os
import platform
import tempfile
from pathlib import Path

from workers import env
from workers.runtimes.kit import PRELOAD, open_kit
from workers.sandbox.base import Ending, Enforced, Exit, IsolationError, Launch, SandboxError, SandboxSettings
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.find_groups import find_groups
from workers.sandbox.fork_client import ForkClient
from workers.sandbox.gvisor import Gvisor
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.none import NoIsolation
from workers.sandbox.program import Isolation
from workers.sandbox.seccomp import ARCHITECTURES
from workers.sandbox.slots import NoSlots, Slots

log = logging.getLogger(__name__)

PROBE = """
import os, socket
assert os.getuid() != 0 and not os.path.exists("/etc/passwd") and os.getpid() < 10, "not isolated"
try:
    socket.create_connection(("192.0.2.1", 9), timeout=2)
except TimeoutError:
    print("there is a network")
except OSError:
    print("isolated")
"""


def settings_from_environment() -> SandboxSettings:
    return SandboxSettings(
        kind=env.one_of("ARENA_SANDBOX", ("bubblewrap", "gvisor", "none")),
        allow_no_isolation=env.flag("ARENA_ALLOW_NO_ISOLATION"),
        warm=env.flag("ARENA_WARM_START", default=True),
        first_uid=env.number("ARENA_SANDBOX_FIRST_UID", 70_000, least=1000),
        slots=env.number("ARENA_SANDBOX_SLOTS", 256, least=1, most=10_000),
    )


async def open_sandbox(settings: SandboxSettings) -> SandboxLauncher:
    """Open the sandbox for this process; raise IsolationError if the host must not take matches.

    Logs what is in force. Falls back to cold starts where warm starts do not work.
    """
    root = os.geteuid() == 0
    groups = find_groups()
    warm = settings.warm and settings.kind == "bubblewrap"
    enforced = Enforced(
        settings.kind,
        groups.name,
        root and settings.kind != "none",
        warm,
        weaknesses(settings.kind, groups.name),
    )
    kind = open_kind(settings, has_cgroup=groups.name != "rlimits", warm=warm)
    kit = open_kit()
    fork_client = ForkClient(kit.python, kit.env, [str(kit.packages)], list(PRELOAD) if warm else [])
    slots = Slots(settings.first_uid, settings.slots) if root and settings.kind != "none" else NoSlots()
    sandbox = SandboxLauncher(enforced, kind, fork_client, groups, slots)
    try:
        await prove(sandbox)
    except SandboxError as error:
        await sandbox.close()
        if not warm:
            raise IsolationError(f"This host cannot isolate bots: {error}") from error
        log.warning("no warm start on this host: %s", error)
        return await open_sandbox(dataclasses.replace(settings, warm=False))
    log.info("%s", enforced)
    return sandbox


def open_kind(settings: SandboxSettings, *, has_cgroup: bool, warm: bool) -> Isolation:
    if settings.kind == "none":
        if not settings.allow_no_isolation:
            raise IsolationError(
                "The sandbox `none` gives strangers' code the rights of this match host. If the machine and "
                "all bots are your own, set ARENA_ALLOW_NO_ISOLATION=true."
            )
        log.warning("NO ISOLATION: every bot can do on this machine whatever the match host can")
        return NoIsolation()
    if platform.machine() not in ARCHITECTURES or platform.system() != "Linux":
        raise IsolationError(f"Bots can only be isolated on Linux, on {' and '.join(ARCHITECTURES)}.")
    if settings.kind == "gvisor":
        return Gvisor()
    if settings.kind == "bubblewrap":
        return Bubblewrap(has_cgroup=has_cgroup, warm=warm)
    raise IsolationError(f"There is no sandbox {settings.kind!r}: choose bubblewrap, gvisor or none.")


def weaknesses(kind: str, limits_by: str) -> tuple[str, ...]:
    """Return the reasons why a host should not play rated matches."""
    found = []
    if kind == "none":
        found.append("Bots are not isolated.")
    if limits_by == "rlimits":
        held = "The memory of each process" if kind == "bubblewrap" else "Nothing"
        found.append(
            f"This host has no cgroup. {held} is limited by the kernel; what a bot's processes use together, "
            "in memory and CPU time, is only checked five times per second. Run the host as root, or give it "
            "a cgroup: `systemd-run --user --scope --property=Delegate=yes make up`."
        )
    return tuple(found)


async def prove(sandbox: SandboxLauncher) -> None:
    """Run a program that looks around; raise SandboxError unless it runs and sees nothing of the host."""
    if sandbox.enforced.kind == "none":
        return
    with tempfile.TemporaryDirectory(prefix="aztlan-") as folder:
        write_probe(Path(folder))
        running = await sandbox.start(Launch("python", Path(folder), "probe.py", label="the probe"))
        exit_: Exit = await running.wait()
    if exit_.ending is not Ending.EXITED or exit_.output != b"isolated\n":
        raise SandboxError(f"a program inside could look out: {exit_.reason} {exit_.output!r}")


def write_probe(folder: Path) -> None:
    folder.chmod(0o755)
    (folder / "probe.py").write_text(PROBE)
