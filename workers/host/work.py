"""The work itself: plays a match, or builds a bot, in sandboxes."""

import asyncio
import shutil
from base64 import b64encode
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from workers import tracing
from workers.host.assignment import AssignedBot
from workers.host.cache import BotCache
from workers.host.spectators import SEND_SECONDS, Spectators
from workers.match.report import clean
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.spec import MatchSpec
from workers.runtimes.build import build_bot
from workers.sandbox.base import Launch, Running, Sandbox, open_run_folder

BUILD_LOG_KEPT = 64 * 1024


async def play(
    spec: MatchSpec,
    bots: list[AssignedBot],
    sandbox: Sandbox,
    cache: BotCache,
    spectators: Spectators,
    cpus: frozenset[int] | None,
) -> dict[str, Any]:
    """Play a match and return its report as JSON data."""
    with ExitStack() as held:
        launches = [await asyncio.to_thread(open_bot, held, cache, bot) for bot in bots]
        launchers = [launcher(sandbox, launch, cpus, spec.match_id) for launch in launches]
        sockets = open_run_folder()
        held.callback(shutil.rmtree, sockets, ignore_errors=True)
        sending = asyncio.ensure_future(spectators.send_regularly())
        try:
            report = await play_match(
                spec, launchers, folder=sockets, on_frame=spectators.show, frames_after=SEND_SECONDS
            )
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending
        await spectators.finish()
    return report.to_data()


def open_bot(held: ExitStack, cache: BotCache, bot: AssignedBot) -> Launch:
    """Provide a bot's files for as long as `held` is open."""
    folder = held.enter_context(cache.source(bot))
    artifact = held.enter_context(cache.built(bot))
    return Launch(bot.runtime, folder, bot.entry, artifact=artifact, label=bot.name)


def launcher(sandbox: Sandbox, launch: Launch, cpus: frozenset[int] | None, match_id: str = "") -> Launcher:
    async def start(socket: Path) -> Running:
        placed = Launch(
            launch.runtime,
            launch.folder,
            launch.entry,
            socket,
            artifact=launch.artifact,
            cpus=cpus,
            label=launch.label,
        )
        with tracing.span("sandbox start", match_id, bot=launch.label):
            return await sandbox.start(placed)

    return start


async def build(bot: AssignedBot, sandbox: Sandbox, cache: BotCache) -> dict[str, Any]:
    """Build a bot and return the report as JSON data. A bot that does not build is a result, too."""
    with ExitStack() as held:
        launch = await asyncio.to_thread(open_bot, held, cache, bot)
        built = await build_bot(sandbox, bot.runtime, launch.folder, bot.entry)
    return {
        "ok": built.ok,
        "reason": built.reason[:1000],
        "log": clean(built.log[-BUILD_LOG_KEPT:]),
        "artifact": b64encode(built.artifact).decode(),
    }
