"""`aztlan test`: is the new version better than the old one? Plays until a sequential test can tell."""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

from aztlan.cli.exits import INTERRUPTED, NO, UNDECIDED, YES
from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.play import check_in_process
from aztlan.errors import SdkError
from aztlan.local.duel import Duel, Journal, Progress, play_duel
from aztlan.local.players import Player, ProgramPlayer, find_player
from aztlan.remote import plain
from contests.sequential import Conclusion, Evidence, Plan
from engine.rulesets import EDITIONS

ANSWERS = {Conclusion.BETTER: YES, Conclusion.NOT_BETTER: NO, Conclusion.OPEN: UNDECIDED}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("old", metavar="OLD", help="a bot's folder, a Python file, or a house bot")
    parser.add_argument("new", metavar="NEW", help="the bot that may be better")
    parser.add_argument("--elo0", type=float, default=0.0, help="a gain above this counts as better (0)")
    parser.add_argument("--elo1", type=float, default=30.0, help="the gain that the test should detect (30)")
    parser.add_argument("--alpha", type=float, default=0.05, help='chance of a wrong "better" (0.05)')
    parser.add_argument("--beta", type=float, default=0.05, help='chance of a wrong "not better" (0.05)')
    parser.add_argument("--sets", type=whole_number, default=5000, help="duplicate sets at most (5000)")
    add_playing(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the results are kept")
    parser.add_argument("--fresh", action="store_true", help="forget the results of an earlier run")
    add_shared(parser, processors())


def add_playing(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how games are played."""
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2, help="seats at the table (2)")
    parser.add_argument(
        "--edition",
        action="append",
        choices=EDITIONS,
        help="rules to play by (english); several are played in turn",
    )
    parser.add_argument("--seed", help="a text; the same one deals the same games")
    parser.add_argument(
        "--in-process", action="store_true", help="run Python bots in this process: fast, without clocks"
    )
    parser.add_argument("--keep-going", action="store_true", help="rank a bot that fails last and play on")


def run(options: argparse.Namespace) -> int:
    """Play until the test decides. Return 0: better; 1: not better, or a bot failed; 3: undecided."""
    try:
        plan = Plan(options.elo0, options.elo1, options.alpha, options.beta)
    except ValueError as error:
        raise SdkError(str(error)) from None
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        old, new = find_two(options.old, options.new, Path(workshop))
        if options.in_process:
            check_in_process([old, new])
        duel = duel_of(old, new, options, plan, options.sets)
        journal = open_journal(options, duel)
        processes = options.parallel or (1 if options.in_process else processors())
        interrupted, last = False, Progress(Evidence(), 0, None)
        try:
            for last in play_duel(duel, journal, processes, options.keep_going):
                show(last, plan)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            end_line()
    return tell(duel, journal, last, interrupted, options)


def find_two(old: str, new: str, workshop: Path) -> tuple[Player, Player]:
    """Find both bots. Two versions may have the same name: then their paths tell them apart."""
    first, second = find_player(old, workshop), find_player(new, workshop)
    if first == second:
        raise SdkError(f"{old} and {new} are the same bot: there is nothing to compare")
    if first.name == second.name:
        return renamed(first, old), renamed(second, new)
    return first, second


def renamed(player: Player, text: str) -> Player:
    if isinstance(player, ProgramPlayer):
        return ProgramPlayer(text, player.folder, player.argv, player.env, player.source)
    return player


def duel_of(old: Player, new: Player, options: argparse.Namespace, plan: Plan, sets: int) -> Duel:
    return Duel(
        old,
        new,
        options.seats,
        tuple(options.edition or EDITIONS[:1]),
        options.clocks,
        options.in_process,
        options.seed or "test",
        sets,
        plan=plan,
    )


def open_journal(options: argparse.Namespace, duel: Duel) -> Journal:
    file = options.journal or Path(".aztlan", f"test-{duel.key()}.jsonl")
    if options.fresh:
        file.unlink(missing_ok=True)
    journal = Journal(file, duel.key())
    if journal.results:
        print(f"resuming after {len(journal.results)} sets, from {file}", file=sys.stderr)
    return journal


def show(now: Progress, plan: Plan) -> None:
    """Print the progress line, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r{progress_line(now, plan):<110}", end="", file=sys.stderr, flush=True)


def end_line() -> None:
    if sys.stderr.isatty():
        print(file=sys.stderr)


def progress_line(now: Progress, plan: Plan) -> str:
    """Return the games, score, evidence, Elo with its interval, and time left."""
    found = now.evidence
    left = f"  about {duration(now.seconds_left)} left" if now.seconds_left else ""
    return (
        f"{now.games} games  score {found.score:.1%}  "
        f"e-value {e_value(found.log_better)} of {1 / plan.alpha:g} (better), "
        f"{e_value(found.log_not_better)} of {1 / plan.beta:g} (not better)  {elo_text(found)}{left}"
    )


def e_value(log: float) -> str:
    return f"{math.exp(min(log, 50)):.3g}"


def elo_text(found: Evidence) -> str:
    """Return an Elo difference and its interval, on the same scale."""
    low, high = found.interval()
    return f"Elo {found.elo:+.0f} [{low:+.0f}, {high:+.0f}]"


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def tell(duel: Duel, journal: Journal, last: Progress, interrupted: bool, options: argparse.Namespace) -> int:
    """Print the result and return the exit code."""
    found = last.evidence
    if options.json:
        print(json.dumps(as_data(duel, last, interrupted)))
    else:
        print(progress_line(Progress(found, last.games, None), duel.plan))
        print(sentence(duel, found, journal, interrupted))
    if last.failure:
        print(
            plain(f"{last.failure}\nFix the bot, or count such games as lost with --keep-going."),
            file=sys.stderr,
        )
        return NO
    return INTERRUPTED if interrupted else ANSWERS[found.conclusion]


def sentence(duel: Duel, found: Evidence, journal: Journal, interrupted: bool) -> str:
    plan = duel.plan
    if found.conclusion is Conclusion.BETTER:
        return f"{duel.new.name} is better than {duel.old.name}: it gains more than {plan.elo0:g} Elo."
    if found.conclusion is Conclusion.NOT_BETTER:
        return f"{duel.new.name} is not better than {duel.old.name}: it does not gain {plan.elo1:g} Elo."
    why = "stopped" if interrupted else "undecided"
    return f"{why} after {found.sets} sets, kept in {journal.file}: run the same command again to resume."


def as_data(duel: Duel, last: Progress, interrupted: bool) -> dict[str, Any]:
    """Return the result as JSON data. Infinite numbers are null."""
    found = last.evidence
    low, high = found.interval()
    return {
        "old": duel.old.name,
        "new": duel.new.name,
        "seats": duel.seats,
        "conclusion": found.conclusion.value,
        "interrupted": interrupted,
        "failure": last.failure,
        "sets": found.sets,
        "games": last.games,
        "results": {f"{result:.4g}": count for result, count in sorted(found.counts.items())},
        "score": found.score,
        "e_better": math.exp(min(found.log_better, 700)),
        "e_not_better": math.exp(min(found.log_not_better, 700)),
        "llr_better": found.log_better,
        "llr_not_better": found.log_not_better,
        "elo": finite(found.elo),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "plan": {name: getattr(duel.plan, name) for name in ("elo0", "elo1", "alpha", "beta")},
    }


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
