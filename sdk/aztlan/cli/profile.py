"""`aztlan profile`: time per decision by phase, memory and start-up, beside the arena's limits."""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from aztlan.cli.check import half_the_processors
from aztlan.cli.exits import NO, YES
from aztlan.cli.options import add_shared, whole_number
from aztlan.cli.play import make_folder
from aztlan.cli.progress import progress
from aztlan.errors import SdkError
from aztlan.local.checks import plan_games
from aztlan.local.contest import spread
from aztlan.local.players import ProgramPlayer, find_player
from aztlan.local.profiling import PhaseProfile, ProfiledGame, by_phase, profile_game
from aztlan.local.told import save_finding
from aztlan.remote import plain
from proto.messages import Clocks
from workers.sandbox.base import MIB, ResourceLimits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", metavar="BOT", help="a bot's folder or a Python file")
    parser.add_argument("-n", "--games", type=whole_number, default=5, help="games of each seat count (5)")
    parser.add_argument("--seed", default="profile", help="a text; the same one deals the same games")
    parser.add_argument(
        "--save",
        type=Path,
        default=Path("slow"),
        metavar="FOLDER",
        help="where the slowest positions go (slow)",
    )
    add_shared(parser, half_the_processors())


def run(options: argparse.Namespace) -> int:
    """Play and print the table; return 1 if a limit is exceeded or the bot fails."""
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        bot = find_player(options.bot, Path(workshop))
        if not isinstance(bot, ProgramPlayer):
            raise SdkError(f"{options.bot} is a house bot; name a folder or a Python file of yours")
        jobs = list(enumerate(plan_games(bot, options.games, options.clocks, options.seed)))
        processes = options.parallel or half_the_processors()
        played = progress(spread(partial(profile_game, bot=bot), jobs, processes), len(jobs), "games")
        games = [game for _, game in sorted(played)]
    phases = by_phase(games)
    files = save_worst(phases, games, options.save)
    problems = limits_exceeded(games, phases, options.clocks)
    if options.json:
        print(json.dumps(as_data(bot.name, games, phases, files, problems)))
    else:
        print_table(bot.name, games, phases, files, options)
    for problem in problems:
        print(plain(problem), file=sys.stderr)
    return NO if problems else YES


def save_worst(phases: list[PhaseProfile], games: list[ProfiledGame], folder: Path) -> dict[str, Path]:
    """Save the slowest decision of each phase as a file that `aztlan debug` opens."""
    files = {}
    for one in phases:
        if one.phase == "all":
            continue
        files[one.phase] = folder / f"{one.phase}.json"
        game, at = games[one.worst_at.game], one.worst_at
        why = f"it took {one.worst:.1f} ms"
        save_finding(make_folder(folder) / f"{one.phase}.json", game.record, game.seat, at.step, "slow", why)
    return files


def limits_exceeded(games: list[ProfiledGame], phases: list[PhaseProfile], clocks: Clocks) -> list[str]:
    """Return a sentence for each of the arena's limits that the bot exceeded."""
    faults = [game.fault for game in games if game.fault]
    problems = [f"it failed in {len(faults)} of {len(games)} games: {faults[0]}"] if faults else []
    memory = max(game.memory for game in games)
    if memory > ResourceLimits().memory:
        problems.append(
            f"it used {memory / MIB:.0f} MiB, and {ResourceLimits().memory // MIB} MiB are allowed"
        )
    if phases and phases[-1].worst > clocks.decision_ms:
        problems.append(f"a decision took {phases[-1].worst:.0f} ms, and {clocks.decision_ms} ms are allowed")
    return problems


def print_table(
    name: str,
    games: list[ProfiledGame],
    phases: list[PhaseProfile],
    files: dict[str, Path],
    options: argparse.Namespace,
) -> None:
    """Print the profile for people."""
    clocks: Clocks = options.clocks
    print(f"{name}: {len(games)} games, without a sandbox, on this machine")
    print("phase        decisions   median ms      99% ms    worst ms   share of the limit")
    for one in phases:
        print(
            f"{one.phase:<11}  {one.decisions:9}  {one.median:10.2f}  {one.p99:10.2f}  {one.worst:10.2f}"
            f"   {one.worst / clocks.decision_ms:.1%} of {clocks.decision_ms} ms"
        )
    starts = [game.startup_us / 1000 for game in games if game.startup_us is not None]
    if starts:
        print(
            f"start-up     {median(starts):.0f} ms, {max(starts):.0f} ms at most, of {clocks.startup_ms} ms"
        )
    totals = [sum(one.microseconds for one in game.decisions) / 1000 for game in games]
    bank = clocks.bank_ms
    print(
        f"whole game   {median(totals):.0f} ms, {max(totals):.0f} ms at most; the bank begins with {bank} ms"
    )
    memory = max(game.memory for game in games) / MIB
    print(f"memory       {memory:.0f} MiB at most, of {ResourceLimits().memory // MIB} MiB")
    for phase, file in files.items():
        print(f"slowest in {phase}: aztlan debug {file} {options.bot}")


def as_data(
    name: str,
    games: list[ProfiledGame],
    phases: list[PhaseProfile],
    files: dict[str, Path],
    problems: list[str],
) -> dict[str, Any]:
    """Return the profile as JSON data. Times are in milliseconds, memory in bytes."""
    return {
        "bot": name,
        "games": len(games),
        "phases": [{**asdict(one), "file": str(files.get(one.phase, ""))} for one in phases],
        "startup_ms": [game.startup_us / 1000 for game in games if game.startup_us is not None],
        "memory": max(game.memory for game in games),
        "problems": problems,
    }
