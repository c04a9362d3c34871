"""One game of a bot in the sandbox of a match host. Needs Linux: `rehearsal` asks for it where it can."""

import shutil
from dataclasses import replace
from pathlib import Path

from aztlan.local.checks import CheckResult
from aztlan.local.match import Job, play_real
from aztlan.local.players import HousePlayer, ProgramPlayer
from aztlan.local.trial import fault_text
from engine.rulesets import ruleset
from proto.messages import Clocks
from workers.runtimes.build import build_bot
from workers.sandbox.base import Launch, Running, open_run_folder
from workers.sandbox.choose import open_sandbox, settings_from_environment

LOG_SHOWN = 3000
NO_ISOLATION = "this machine's settings choose no isolation (ARENA_SANDBOX)"

Sandboxed = tuple[list[CheckResult], Path | None]
"""What was seen, and the program that was built, if one was."""


async def build_and_play(launch: Launch, clocks: Clocks, seed: bytes) -> Sandboxed:
    """Build a bot and play one game with it; no verdicts where there is no isolation."""
    sandbox = await open_sandbox(replace(settings_from_environment(), warm=False))
    sockets = open_run_folder()
    try:
        if sandbox.enforced.kind == "none":
            return [], None
        build = await build_bot(sandbox, launch.runtime, launch.folder, launch.entry)
        if not build.ok:
            log = build.log.decode(errors="replace").strip()[-LOG_SHOWN:]
            return [CheckResult("build", False, f"{build.reason}\n{log}".strip())], None
        if build.artifact:
            launch = replace(launch, artifact=launch.folder.with_name("built"))
            build.save(launch.folder.with_name("built"))

        async def start(socket: Path) -> Running:
            return await sandbox.start(replace(launch, socket=socket))

        players = (ProgramPlayer(launch.label, launch.folder, ()), HousePlayer("random"))
        report = await play_real(Job(players, seed, ruleset(), clocks), {0: start}, sockets)
        why = fault_text(report.seats[0]) or f"one game as the arena plays it: {sandbox.enforced.kind}"
        verdict = CheckResult("sandbox", report.seats[0].fault is None, why)
        return [CheckResult("build", True, "it builds as the arena builds it"), verdict], launch.artifact
    finally:
        shutil.rmtree(sockets, ignore_errors=True)
        await sandbox.close()
