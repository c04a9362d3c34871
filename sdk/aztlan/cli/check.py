"""`aztlan check`: is a bot fit for the arena? Exit code 0 if so, 1 if not."""

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.progress import progress
from aztlan.errors import SdkError
from aztlan.house import HOUSE
from aztlan.local.checks import CheckResult, changed, judge, judge_archive, plan_games, snapshot, try_bot
from aztlan.local.contest import game_seed
from aztlan.local.imports import judge_imports
from aztlan.local.package import Package, read_package
from aztlan.local.rehearsal import arena_player, link_packages, rehearse
from aztlan.remote import plain
from workers.archives import ArchiveError, Manifest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", metavar="BOT", help="a bot's folder, a Python file, or a zip archive")
    parser.add_argument(
        "-n", "--games", type=whole_number, default=100, help="games of each seat count (100)"
    )
    parser.add_argument("--seed", default="check", help="a text; the same one deals the same games")
    add_shared(parser, half_the_processors())


def run(options: argparse.Namespace) -> int:
    """Play the games, print the verdicts."""
    if options.bot in HOUSE:
        raise SdkError(f"{options.bot} is a house bot; name a folder or a Python file of yours")
    name, verdicts = examine(Path(options.bot), options)
    fit = all(verdict.passed for verdict in verdicts)
    if options.json:
        print(json.dumps({"bot": name, "fit": fit, "verdicts": [asdict(verdict) for verdict in verdicts]}))
    else:
        print_verdicts(name, verdicts, fit)
    return 0 if fit else 1


def examine(path: Path, options: argparse.Namespace) -> tuple[str, list[CheckResult]]:
    """Pack the bot as `aztlan upload` does, unpack it as the arena does, and try what came out."""
    try:
        package = read_package(path)
    except ArchiveError as error:
        return path.resolve().name, [CheckResult("archive", False, error.sentence)]
    archive = judge_archive(package)
    if not archive.passed:
        return path.resolve().stem, [archive]
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        Path(workshop).chmod(0o711)  # the sandbox runs as another user
        manifest = package.unpack(Path(workshop, "bot")).manifest
        return manifest.name, [archive, *try_out(manifest, package, Path(workshop), options)]


def try_out(
    manifest: Manifest, package: Package, workshop: Path, options: argparse.Namespace
) -> list[CheckResult]:
    """Test the unpacked bot: one game in the arena's sandbox, then many with the arena's interpreter."""
    folder = workshop / "bot"
    rehearsal = rehearse(manifest, folder, options.clocks, game_seed(options.seed, 0))
    if any(verdict.what == "build" and not verdict.passed for verdict in rehearsal.verdicts):
        return rehearsal.verdicts
    link_packages(folder, package.path)
    bot, gaps = arena_player(manifest, folder, rehearsal.artifact, workshop)
    before = snapshot(folder)
    jobs = plan_games(bot, options.games, options.clocks, options.seed)
    trials = list(progress(try_bot(bot, jobs, options.parallel or half_the_processors()), len(jobs), "games"))
    left = changed(before, snapshot(folder))
    imports = judge_imports(manifest, folder)
    return [*rehearsal.verdicts, *gaps, *imports, *judge(trials, options.clocks, len(jobs), left)]


def half_the_processors() -> int:
    """Return how many games to play at once: each bot needs a core of its own for true timings."""
    return max(1, processors() // 2)


def print_verdicts(name: str, verdicts: list[CheckResult], fit: bool) -> None:
    """Print the verdicts for people."""
    for verdict in verdicts:
        sign = "?   " if verdict.skipped else "ok  " if verdict.passed else "FAIL"
        sign = "warn" if verdict.warning else sign
        print(f"{sign}  {verdict.what:<10}  {plain(verdict.why)}")
    gaps = [verdict.what for verdict in verdicts if verdict.skipped]
    if not fit:
        print(f"{name} is not fit for the arena yet.")
    elif gaps:
        print(f"{name} is fit for the arena as far as this machine can tell; not checked: {', '.join(gaps)}.")
    else:
        print(f"{name} is fit for the arena.")
