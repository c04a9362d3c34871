"""Whether a bot is fit for the arena: many games of every size, and a verdict on each thing that matters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import fmean, median

from aztlan.local.contest import game_seed, spread
from aztlan.local.match import Job
from aztlan.local.package import Package, left_out_text
from aztlan.local.players import HousePlayer, ProgramPlayer
from aztlan.local.trial import Trial, run_trial
from engine.rulesets import EDITIONS, ruleset
from proto.messages import Clocks
from workers.archives import ArchiveError, archive_limits
from workers.sandbox.base import MIB, ResourceLimits

FAILURES_ENOUGH = 3
"""The check stops after this many failed games."""


@dataclass(frozen=True)
class CheckResult:
    """One thing that was looked at."""

    what: str
    passed: bool
    why: str
    skipped: bool = False
    """Whether this machine could not look at it."""
    warning: bool = False
    """Whether the author should look at it, though it may be right."""


def plan_games(bot: ProgramPlayer, games: int, clocks: Clocks, base: str) -> list[Job]:
    """Plan games of each seat count, in each seat and edition in turn, against varied opponents."""
    found = []
    for seats in (2, 3, 4):
        for game in range(games):
            seat = game % seats
            company = islice(
                cycle(HousePlayer(name) for name in ("random", "greedy")), game % 2, game % 2 + seats - 1
            )
            players: list[ProgramPlayer | HousePlayer] = list(company)
            players.insert(seat, bot)
            rules = ruleset(EDITIONS[game % len(EDITIONS)])
            found.append(Job(tuple(players), game_seed(f"{base}/{seats}", game), rules, clocks))
    return found


def try_bot(bot: ProgramPlayer, jobs: Sequence[Job], processes: int) -> Iterator[Trial]:
    """Play the games and yield what they show, until they are done or enough have failed."""
    failures = 0
    for _, trial in spread(partial(run_trial, bot=bot), jobs, processes):
        yield trial
        failures += bool(trial.fault)
        if failures == FAILURES_ENOUGH:
            return


def judge(
    trials: Sequence[Trial], clocks: Clocks, planned: int, left_files: Sequence[str]
) -> list[CheckResult]:
    """The verdicts, in the order in which an author would look for trouble."""
    return [
        judge_startup(trials, clocks),
        judge_play(trials, planned),
        judge_time(trials, clocks),
        judge_memory(trials),
        judge_leftovers(trials, left_files),
    ]


def judge_startup(trials: Sequence[Trial], clocks: Clocks) -> CheckResult:
    """Judge whether every start was in time."""
    starts = [trial.startup / 1000 for trial in trials if trial.startup is not None]
    if len(starts) < len(trials):
        return CheckResult(
            "start-up", False, f"{len(trials) - len(starts)} of {len(trials)} times it did not say hello"
        )
    return CheckResult(
        "start-up",
        True,
        f"{median(starts):.0f} ms as the median, {max(starts):.0f} ms at most, of {clocks.startup_ms} ms",
    )


def judge_play(trials: Sequence[Trial], planned: int) -> CheckResult:
    """Judge whether every game was played legally to its end."""
    decisions = sum(len(trial.times) for trial in trials)
    played = f"{len(trials)} games, {decisions} decisions"
    faults = [trial.fault for trial in trials if trial.fault]
    illegal = [reason for trial in trials for reason in trial.illegal]
    if faults:
        stopped = f" ({planned - len(trials)} more were not played)" if len(trials) < planned else ""
        return CheckResult("legal play", False, f"{played}: it failed in {len(faults)}{stopped}. {faults[0]}")
    if illegal:
        return CheckResult("legal play", False, f"{played}: {len(illegal)} illegal actions. {illegal[0]}")
    return CheckResult("legal play", True, f"{played}, all legal")


def judge_time(trials: Sequence[Trial], clocks: Clocks) -> CheckResult:
    """Judge whether every answer was in time."""
    times = [time / 1000 for trial in trials for time in trial.times]
    late = [reason for trial in trials for reason in trial.late]
    if late:
        return CheckResult("time", False, f"{len(late)} answers came too late. {late[0]}")
    if not times:
        return CheckResult("time", False, "it never answered")
    return CheckResult(
        "time",
        True,
        f"{fmean(times):.1f} ms per decision, {max(times):.0f} ms at most, of {clocks.decision_ms} ms",
    )


def judge_memory(trials: Sequence[Trial]) -> CheckResult:
    """Judge whether the memory stays within the sandbox's limit."""
    most, allowed = max(trial.memory for trial in trials), ResourceLimits().memory
    return CheckResult("memory", most <= allowed, f"{most / MIB:.0f} MiB at most, of {allowed // MIB} MiB")


def judge_leftovers(trials: Sequence[Trial], left_files: Sequence[str]) -> CheckResult:
    """It ends when the game does, and leaves neither processes nor files."""
    processes = [name for trial in trials for name in trial.left_behind]
    lingered = sum(not trial.exited for trial in trials if not trial.fault)
    if processes:
        return CheckResult(
            "leftovers", False, f"{len(processes)} processes outlived their game, such as {processes[0]}"
        )
    if 2 * lingered > len(trials):  # now and then, a busy machine is to blame
        return CheckResult(
            "leftovers",
            False,
            f"after {lingered} of {len(trials)} games it did not end by itself in a second",
        )
    if left_files:
        return CheckResult(
            "leftovers", False, f"its folder, which is read-only in the arena, has changed: {left_files[0]}"
        )
    return CheckResult("leftovers", True, "it ends with the game and leaves nothing behind")


def judge_archive(package: Package) -> CheckResult:
    """What would be uploaded, read as the arena reads it."""
    try:
        contents = package.check()
    except ArchiveError as error:
        return CheckResult("archive", False, error.sentence)
    packed, unpacked = len(package.archive) / MIB, contents.size / MIB
    text = (
        f"{len(contents.files)} files of {archive_limits.ENTRIES}, "
        f"{packed:.1f} MiB packed of {archive_limits.ARCHIVE // MIB} MiB, "
        f"{unpacked:.1f} MiB unpacked of {archive_limits.TOTAL // MIB} MiB"
    )
    beside = f"; left out: {left_out_text(package.left_out)}" if package.left_out else ""
    return CheckResult("archive", True, text + beside)


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file of a folder, with its size and the time of its last change."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def changed(before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]) -> list[str]:
    """Return the names of the files that differ."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
