"""`aztlan fuzz`: odd but legal positions, to find what would cost a bot strikes or games in the arena."""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path

from aztlan.cli.exits import NO, YES
from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.play import make_folder
from aztlan.cli.progress import progress
from aztlan.errors import SdkError
from aztlan.local.contest import spread
from aztlan.local.fuzzing import Finding, FuzzedGame, Table, fuzz_in_process, fuzz_program, tables
from aztlan.local.players import ProgramPlayer, find_player
from aztlan.local.told import save_finding
from aztlan.remote import plain

KINDS_ENOUGH = 20
"""The fuzzer stops after this many different findings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", metavar="BOT", help="a bot's folder or a Python file")
    parser.add_argument("-n", "--games", type=whole_number, default=120, help="games (120)")
    parser.add_argument("--seed", default="fuzz", help="a text; the same one leads to the same positions")
    parser.add_argument(
        "--slow",
        type=whole_number,
        metavar="MS",
        help="report decisions that take longer (the clock's limit for one decision)",
    )
    parser.add_argument(
        "--own-moves",
        action="store_true",
        help="play only the bot's own decisions; never steer it into odder positions",
    )
    parser.add_argument(
        "--save",
        type=Path,
        default=Path("findings"),
        metavar="FOLDER",
        help="where findings are saved (findings)",
    )
    add_shared(parser, processors())


def run(options: argparse.Namespace) -> int:
    """Play the games and save the findings; return 1 if there are any."""
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        player = find_player(options.bot, Path(workshop))
        if not isinstance(player, ProgramPlayer):
            raise SdkError(f"{options.bot} is a house bot; name a folder or a Python file of yours")
        games: list[FuzzedGame] = []
        found: dict[tuple[str, str], Finding] = {}
        times: Counter[tuple[str, str]] = Counter()
        with closing(play_all(player, options)) as played:
            for game in progress(played, options.games, "games"):
                games.append(game)
                for one in game.findings:
                    found.setdefault((one.kind, one.why), one)
                    times[one.kind, one.why] += 1
                if len(found) >= KINDS_ENOUGH:
                    break
    files = save(list(found.values()), options.save)
    tell(games, found, times, files, options)
    return NO if found else YES


def play_all(player: ProgramPlayer, options: argparse.Namespace) -> Generator[FuzzedGame, None, None]:
    """Yield the games as they finish: Python bots run in this process or its children, others as programs."""
    work = (
        partial(
            fuzz_in_process,
            player,
            slow_ms=options.slow or options.clocks.decision_ms,
            led=not options.own_moves,
        )
        if player.source
        else partial(fuzz_program, player, clocks=options.clocks)
    )
    todo: list[Table] = list(tables(options.games, options.seed))
    with closing(spread(work, todo, options.parallel or 1)) as games:
        for _, game in games:
            yield game


def save(found: list[Finding], folder: Path) -> list[Path]:
    """Save each finding as a file that `aztlan debug` opens."""
    if not found:
        return []
    target, files = make_folder(folder), []
    for number, one in enumerate(found, 1):
        files.append(folder / f"{one.kind}-{number}.json")
        save_finding(target / files[-1].name, one.record, one.seat, one.step, one.kind, one.why)
    return files


def tell(
    games: list[FuzzedGame],
    found: dict[tuple[str, str], Finding],
    times: Counter[tuple[str, str]],
    files: list[Path],
    options: argparse.Namespace,
) -> None:
    """Print the findings."""
    decisions = sum(game.decisions for game in games)
    slowest = max((game.slowest_ms for game in games), default=0.0)
    if options.json:
        findings = [
            {"kind": kind, "why": why, "times": times[kind, why], "step": one.step, "file": str(file)}
            for ((kind, why), one), file in zip(found.items(), files, strict=True)
        ]
        data = {"games": len(games), "decisions": decisions, "slowest_ms": slowest, "findings": findings}
        print(json.dumps(data))
        return
    print(f"{len(games)} games, {decisions} decisions, the slowest took {slowest:.1f} ms")
    for ((kind, why), _), file in zip(found.items(), files, strict=True):
        print(plain(f"{kind}, {times[kind, why]} times: {why}"))
        print(f"    aztlan debug {file} {options.bot}")
    if not found:
        print("No crash, no illegal answer, no slow decision.")
