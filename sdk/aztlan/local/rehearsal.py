"""A bot under the arena's conditions: its files as they were packed, the arena's kit and sandbox.

What this machine cannot check is always reported: such a verdict is `skipped`.
"""

import asyncio
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aztlan.local.checks import CheckResult
from aztlan.local.players import ProgramPlayer, local_command
from proto.messages import Clocks
from workers.archives import Manifest
from workers.runtimes.base import RuntimeMissingError
from workers.runtimes.node import modules_folder
from workers.runtimes.registry import find_runtime
from workers.sandbox.base import Launch, SandboxError


@dataclass(frozen=True)
class Rehearsal:
    """What the sandbox showed, and the program that was built in it, if one was."""

    verdicts: list[CheckResult]
    artifact: Path | None = None


def rehearse(manifest: Manifest, folder: Path, clocks: Clocks, seed: bytes) -> Rehearsal:
    """Build an unpacked bot and play one game with it, in the sandbox of a match host on this machine."""
    try:
        from aztlan.local.sandboxed import NO_ISOLATION, build_and_play
    except ImportError:
        return Rehearsal([_not_checked("Sandboxes need Linux.")])
    launch = Launch(manifest.runtime, folder, manifest.entry, label=manifest.name)
    try:
        verdicts, artifact = asyncio.run(build_and_play(launch, clocks, seed))
    except (RuntimeMissingError, SandboxError, OSError, subprocess.SubprocessError) as error:
        return Rehearsal([_not_checked(str(error))])
    return Rehearsal(verdicts or [_not_checked(NO_ISOLATION)], artifact)


def _not_checked(reason: str) -> CheckResult:
    text = f"not checked here: no network, read-only files, limits, the arena's build. {reason}"
    return CheckResult("sandbox", True, text, skipped=True)


def arena_player(
    manifest: Manifest, folder: Path, artifact: Path | None, workshop: Path
) -> tuple[ProgramPlayer, list[CheckResult]]:
    """Return a player of an unpacked bot that runs with the arena's interpreter and packages.

    Where this machine has no such kit, it runs with the author's own, and a verdict says so.
    """
    runtime = find_runtime(manifest.runtime)
    launch = Launch(manifest.runtime, folder, manifest.entry, artifact=artifact)
    try:
        command = runtime.run_command(manifest.entry)
        if "/run/built" in command.argv and artifact is None:
            raise RuntimeMissingError("It was built outside the sandbox.")
    except (RuntimeMissingError, OSError, subprocess.SubprocessError) as error:
        argv = local_command(manifest, folder, workshop)
        text = f"not checked here: whether the arena has all that it imports. {error}"
        return ProgramPlayer(manifest.name, folder, argv), [CheckResult("imports", True, text, skipped=True)]
    from workers.sandbox.none import NoIsolation  # for Linux; elsewhere there is no such command

    argv = tuple(NoIsolation().outside(part, launch) for part in command.argv)
    return ProgramPlayer(manifest.name, folder, argv, tuple(command.env.items())), []


def link_packages(folder: Path, authors: Path) -> None:
    """Let an unpacked JavaScript bot find the packages of a match host, else the author's."""
    shared = modules_folder()
    if not shared.is_dir():
        shared = authors / "node_modules"
    if shared.is_dir():
        with suppress(OSError):  # Windows allows links to few; Node then says what it did not find
            (folder.parent / "node_modules").symlink_to(shared)
