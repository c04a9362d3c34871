"""A bot under the arena's conditions: its files as they were packed, the arena's kit and sandbox.

What this machine cannot do is told, never passed over: such a verdict is `skipped`.
"""

import asyncio
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from aztlan.local.checks import CheckResult
from aztlan.local.match import Job, play_real
from aztlan.local.players import HousePlayer, ProgramPlayer, local_command
from aztlan.local.trial import fault_text
from engine.rulesets import ruleset
from proto.messages import Clocks
from workers.archives import Manifest
from workers.runtimes.base import RuntimeMissingError
from workers.runtimes.build import build_bot
from workers.runtimes.node import modules_folder
from workers.runtimes.registry import find_runtime
from workers.sandbox.base import Launch, Running, SandboxError, open_run_folder
from workers.sandbox.choose import open_sandbox, settings_from_environment
from workers.sandbox.none import NoIsolation

LOG_SHOWN = 3000


@dataclass(frozen=True)
class Rehearsal:
    """What the sandbox showed, and the program that was built in it, if one was."""

    verdicts: list[CheckResult]
    artifact: Path | None = None


def rehearse(manifest: Manifest, folder: Path, clocks: Clocks, seed: bytes) -> Rehearsal:
    """Build an unpacked bot and play one game with it, in the sandbox of a match host on this machine."""
    launch = Launch(manifest.runtime, folder, manifest.entry, label=manifest.name)
    try:
        return asyncio.run(_rehearse(launch, clocks, seed))
    except (RuntimeMissingError, SandboxError, OSError, subprocess.SubprocessError) as error:
        return Rehearsal([_not_checked(str(error))])


async def _rehearse(launch: Launch, clocks: Clocks, seed: bytes) -> Rehearsal:
    sandbox = await open_sandbox(replace(settings_from_environment(), warm=False))
    sockets = open_run_folder()
    try:
        if sandbox.enforced.kind == "none":
            return Rehearsal([_not_checked("this machine's settings choose no isolation (ARENA_SANDBOX)")])
        build = await build_bot(sandbox, launch.runtime, launch.folder, launch.entry)
        if not build.ok:
            log = build.log.decode(errors="replace").strip()[-LOG_SHOWN:]
            return Rehearsal([CheckResult("build", False, f"{build.reason}\n{log}".strip())])
        if build.artifact:
            launch = replace(launch, artifact=launch.folder.with_name("built"))
            build.save(launch.folder.with_name("built"))

        async def start(socket: Path) -> Running:
            return await sandbox.start(replace(launch, socket=socket))

        players = (ProgramPlayer(launch.label, launch.folder, ()), HousePlayer("random"))
        report = await play_real(Job(players, seed, ruleset(), clocks), {0: start}, sockets)
        why = fault_text(report.seats[0]) or f"one game as the arena plays it: {sandbox.enforced.kind}"
        verdict = CheckResult("sandbox", report.seats[0].fault is None, why)
        return Rehearsal(
            [CheckResult("build", True, "it builds as the arena builds it"), verdict], launch.artifact
        )
    finally:
        shutil.rmtree(sockets, ignore_errors=True)
        await sandbox.close()


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
    argv = tuple(NoIsolation().outside(part, launch) for part in command.argv)
    return ProgramPlayer(manifest.name, folder, argv, tuple(command.env.items())), []


def link_packages(folder: Path, authors: Path) -> None:
    """Let an unpacked JavaScript bot find the packages of a match host, else the author's."""
    shared = modules_folder()
    if not shared.is_dir():
        shared = authors / "node_modules"
    if shared.is_dir():
        (folder.parent / "node_modules").symlink_to(shared)
