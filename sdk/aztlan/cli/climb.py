"""`aztlan climb`: play the house bots from the weakest up, and say which ones a bot beats."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from aztlan.cli.exits import INTERRUPTED, NO, YES
from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.play import check_in_process
from aztlan.cli.test import add_playing, as_data, duel_of, elo_text, end_line, show
from aztlan.errors import SdkError
from aztlan.house import HOUSE
from aztlan.local.duel import Duel, Journal, Progress, play_duel
from aztlan.local.players import HousePlayer, find_player
from aztlan.remote import plain
from contests.sequential import Conclusion, Evidence, Plan

PLAN = Plan(-25.0, 25.0)
"""Elo bounds for "above the rung". Between the two the bots are level, and either answer is right."""
LEAST_SETS = 25
"""Sets played on each rung even if the test decides earlier, for a usable interval."""
WORDS = {Conclusion.BETTER: "above", Conclusion.NOT_BETTER: "not above", Conclusion.OPEN: "undecided"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", metavar="BOT", help="a bot's folder or a Python file")
    parser.add_argument(
        "--from",
        dest="first",
        choices=list(HOUSE),
        default="random",
        help="the house bot to start with (random)",
    )
    parser.add_argument(
        "--sets", type=whole_number, default=300, help="duplicate sets per rung at most (300)"
    )
    add_playing(parser)
    add_shared(parser, processors())


def run(options: argparse.Namespace) -> int:
    """Climb until the bot no longer beats the rung, then print where it stands."""
    rungs: list[tuple[Duel, Progress]] = []
    interrupted = False
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        if options.bot in HOUSE:
            raise SdkError(f"{options.bot} is itself a rung; name a folder or a Python file of yours")
        bot = find_player(options.bot, Path(workshop))
        if options.in_process:
            check_in_process([bot])
        names = list(HOUSE)
        try:
            for name in names[names.index(options.first) :]:
                duel = duel_of(HousePlayer(name), bot, options, PLAN, options.sets)
                rungs.append(
                    (
                        replace(duel, seed=f"{duel.seed}/{name}", least_sets=min(LEAST_SETS, options.sets)),
                        Progress(Evidence(), 0, None),
                    )
                )
                for last in play_rung(rungs[-1][0], options):
                    rungs[-1] = (rungs[-1][0], last)
                end_line()
                if not options.json:
                    print(rung_line(*rungs[-1]), flush=True)
                if last.failure or last.evidence.conclusion is not Conclusion.BETTER:
                    break
        except KeyboardInterrupt:
            interrupted = True
    return tell(bot.name, rungs, interrupted, options)


def play_rung(duel: Duel, options: argparse.Namespace) -> Iterator[Progress]:
    """Play one rung; its sets are saved, so that an interrupted climb can resume."""
    journal = Journal(Path(".aztlan", f"climb-{duel.key()}.jsonl"), duel.key())
    processes = options.parallel or (1 if options.in_process else processors())
    for now in play_duel(duel, journal, processes, options.keep_going):
        show(now, duel.plan)
        yield now


def rung_line(duel: Duel, now: Progress) -> str:
    found = now.evidence
    return (
        f"{duel.old.name:<9} {now.games:5} games  beats it {found.score:6.1%}  "
        f"{elo_text(found):<28}  {WORDS[found.conclusion]}"
    )


def tell(
    name: str, rungs: list[tuple[Duel, Progress]], interrupted: bool, options: argparse.Namespace
) -> int:
    """Print where the bot stands; return the exit code, 1 if it failed."""
    failure = rungs[-1][1].failure if rungs else ""
    below = [duel.old.name for duel, now in rungs if now.evidence.conclusion is Conclusion.BETTER]
    data: dict[str, Any] = {
        "bot": name,
        "above": below[-1] if below else None,
        "interrupted": interrupted,
        "rungs": [as_data(duel, now, interrupted) for duel, now in rungs],
    }
    if options.json:
        print(json.dumps(data))
    elif rungs:
        duel, now = rungs[-1]
        is_open = now.evidence.conclusion is Conclusion.OPEN
        print(standing(name, below, duel.old.name, interrupted, is_open))
    if failure:
        print(plain(failure), file=sys.stderr)
        return NO
    return INTERRUPTED if interrupted else YES


def standing(name: str, below: list[str], last: str, interrupted: bool, is_open: bool) -> str:
    """Say on which rung the bot stands, and of the next one only what was decided."""
    if interrupted:
        return "Stopped. The results are kept: run the same command again to resume."
    if below and below[-1] == last:
        return f"{name} stands above {last}, the top rung."
    above = f"{name} stands above {below[-1]}" if below else ""
    if is_open:
        question = f"whether it stands above {last} needs more --sets."
        return f"{above}; {question}" if above else f"{name}: {question}"
    return f"{above}, and not above {last}." if above else f"{name} does not stand above {last}."
