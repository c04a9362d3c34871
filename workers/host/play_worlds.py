"""Games that bots play on from a position in sampled worlds, one after another, in sandboxes."""

import asyncio
import shutil
from contextlib import ExitStack
from typing import Any

from workers.host.assignment import WorldAssignment
from workers.host.cache import BotCache
from workers.host.work import launcher, open_bot
from workers.match.runner import PlayedOn, play_on
from workers.match.sampled_worlds import sample_world
from workers.sandbox.base import Sandbox, open_run_folder


async def play_worlds(
    work: WorldAssignment, sandbox: Sandbox, cache: BotCache, cpus: frozenset[int] | None
) -> dict[str, Any]:
    """Play all games of a task and return the report as JSON data."""
    games = []
    with ExitStack() as held:
        launches = [
            await asyncio.to_thread(open_bot, held, cache, bot) for bot in [*work.bots, work.stand_in]
        ]
        for seed in work.task.seeds:
            spec = work.task.game_spec(seed)
            *players, stand_in = [launcher(sandbox, launch, cpus, spec.match_id) for launch in launches]
            folder = open_run_folder()
            try:
                world = sample_world(work.task, seed)
                games.append(report_of(await play_on(spec, players, world, stand_in, folder)))
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    return {"games": games}


def report_of(game: PlayedOn) -> dict[str, Any]:
    return {
        "actions": game.actions,
        "faults": [[seat, fault.step, fault.kind.value] for seat, fault in game.faults.items()],
        "stood_in": game.stood_in,
    }
