"""`aztlan check`: is a bot fit for the arena? Exit code 0 if so, 1 if not."""

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.progress import progress
from aztlan.errors import SdkError
from aztlan.local.checks import Verdict, changed, judge, judge_folder, plan_games, snapshot, try_bot
from aztlan.local.players import ProgramPlayer, find_player


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("bot", metavar="BOT", help="a bot's folder, or a Python file")
    parser.add_argument(
        "-n", "--games", type=whole_number, default=100, help="games of each seat count (100)"
    )
    parser.add_argument("--seed", default="check", help="a text; the same one deals the same games")
    # A processor is left to the bot, or its times would not be its own.
    add_shared(parser, max(1, processors() // 2))


def run(options: argparse.Namespace) -> int:
    """Play the games, print the verdicts."""
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        bot = find_player(options.bot, Path(workshop))
        if not isinstance(bot, ProgramPlayer):
            raise SdkError(f"{options.bot} is a house bot; name a folder or a Python file of yours")
        whole_folder = Path(options.bot).is_dir()
        before = snapshot(bot.folder) if whole_folder else {}
        jobs = plan_games(bot, options.games, options.clocks, options.seed)
        trials = list(progress(try_bot(bot, jobs, options.parallel), len(jobs), "games"))
        left = changed(before, snapshot(bot.folder)) if whole_folder else []
    verdicts = judge(trials, options.clocks, len(jobs), left)
    if whole_folder:
        verdicts.insert(0, judge_folder(bot.folder))
    fit = all(verdict.passed for verdict in verdicts)
    if options.json:
        print(
            json.dumps({"bot": bot.name, "fit": fit, "verdicts": [asdict(verdict) for verdict in verdicts]})
        )
    else:
        print_verdicts(bot.name, verdicts, fit)
    return 0 if fit else 1


def print_verdicts(name: str, verdicts: list[Verdict], fit: bool) -> None:
    """The verdicts for people."""
    for verdict in verdicts:
        print(f"{'ok  ' if verdict.passed else 'FAIL'}  {verdict.what:<10}  {verdict.why}")
    print(f"{name} is fit for the arena." if fit else f"{name} is not fit for the arena yet.")
