"""What everything costs in an arena that has been played on, at three sizes: flat, logarithmic, or worse?

Each size is filled into a database of its own (`SIZES=10000,100000,1000000` are the numbers of matches; there
is a bot for every fifty). Measured are every address of the URL table, the staff's lists and every task of
the schedule, so what is added later is measured too; then a fold, voids, the check and the bytes per match.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench._growth_data import Size

SIZES = [int(number) for number in os.environ.get("SIZES", "10000,100000,1000000").split(",")]
TURNS = 5
MOST_MS, MOST_FACTOR = 100.0, 2.0
UNHURRIED = {"task: forget old logs and replays", "task: forget old sessions"}
"""At night, on the queue for what can wait."""
ONCE_LINEAR = {
    "void the newest result": "void the newest result, ms",
    "void the oldest result (its correction follows)": "void the oldest result, ms",
    "correct what follows from the oldest, in seconds": "correct what follows from it, s",
    "ladder, first page": "/ladders/ladder-0/",
    "ladder, in the middle": "/ladders/ladder-0/?after={middle}",
    "ladder, last page by its number": "/ladders/ladder-0/?page=999999999",
    "API standings, first 100": "/api/v1/ladders/ladder-0/standings",
    "API standings, in the middle": "/api/v1/ladders/ladder-0/standings?after={middle}",
    "API standings, offset beyond the end": "/api/v1/ladders/ladder-0/standings?offset=999999999",
    "one round of matchmaking, all ladders": "task: fill the ladders' queues",
    "best ranks after 15 results": "task: note best ranks",
    "rating history of the busiest bot, page": "/ladders/ladder-0/bots/bot-0/",
    "rating history of the busiest bot, API": "/api/v1/ladders/ladder-0/bots/bot-0/history",
    "head to head": "/ladders/ladder-0/head-to-head/",
    "matches of a bot, by a filter that never fits": "/matches/?bot=bot-0&state=voided",
    "matches of a bot, another such filter": "/matches/?bot={middle}&purpose=challenge",
    "home page": "/",
    "administration, list of matches": "/admin/matches/match/",
    "administration, find a match": "/admin/matches/match/?q={match}",
    "relay round while a wake-up waits": "task: send what is due",
    "retention with nothing old": "task: forget old logs and replays",
    "estimate strengths": "task: estimate strengths",
    "fold_ratings --check, in seconds": "fold_ratings --check, s",
    "fold_ratings --check, in MB": "fold_ratings --check, MB",
}
FEW = 300
"""So many rows and buffers more or less say nothing."""
LOGARITHMIC = 4.0
"""From 10,000 to a million, the logarithm grows by half; lookups read two or three levels of an index more."""
NOISE_MS = 15.0
"""A factor says nothing about what takes less."""


def main() -> None:
    """Print the costs at each size side by side, their growth, and the storage."""
    if "GROWTH_SIZE" in os.environ:
        measure_size(int(os.environ["GROWTH_SIZE"]))
        return
    results = [run_size(matches) for matches in SIZES]
    report(results)


def size_of(matches: int) -> "Size":
    from bench._growth_data import Size

    return Size(matches, max(matches // 50, 20))


def run_size(matches: int) -> dict[str, float]:
    """Measure one size in a process of its own, so that its memory is its own."""
    print(f"-- {matches:,} matches", flush=True)
    environment = os.environ | {"GROWTH_SIZE": str(matches)}
    done = subprocess.run(
        [sys.executable, "-m", "bench", "growth"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    results = {}
    for line in done.stdout.splitlines():
        if line.startswith("\t"):
            _, name, value = line.split("\t")
            results[name] = float(value)
        elif not line.startswith(("==", "Nothing is")):
            print(line, flush=True)
    return results


def measure_size(matches: int) -> None:
    from bench.arena import empty_arena

    with empty_arena():
        from bench import _growth_data as data

        size = size_of(matches)
        print(f"filled in {seconds(lambda: data.fill(size)):.0f} s", flush=True)
        measure_filled(size)


def measure_filled(size: "Size") -> None:
    """Measure everything in a database that is filled."""
    from bench import _growth_data as data
    from bench._growth_work import measure_all

    costs, failed = measure_all(TURNS)
    for name, error in failed.items():
        print(f"FAILED {name}: {error}", flush=True)
    for name, cost in costs.items():
        tell(name, cost.ms)
        tell(f"cpu: {name}", cost.cpu_ms)
        tell(f"ratio: {name}", cost.ratio)
        tell(f"read: {name}", cost.read)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    for name, value in data.bytes_per_match(size).items():
        tell(f"bytes per match: {name}", value)
    for seats, value in data.bytes_of_times().items():
        tell(f"bytes of times, {seats} seats", value)
    measure_folds()


def measure_folds() -> None:
    """Void the newest and the oldest result, settling one meanwhile, and check it all."""
    from arena.ladders import correcting, results
    from arena.ladders.models import Result, Season
    from arena.matches.models import Match
    from bench._growth_work import quiet_settings

    season = Season.objects.get(pk=2)

    def void(match_id: int) -> None:
        Match.objects.filter(pk=match_id).update(state=Match.State.VOIDED)
        results.settle_match(match_id)

    logged = Result.objects.filter(season=season, match__isnull=False).order_by("sequence")
    oldest, newest = logged[0].match_id or 0, logged.reverse()[0].match_id or 0
    with quiet_settings():
        tell("void the newest result, ms", 1000 * seconds(lambda: void(newest)))
        tell("void the oldest result, ms", 1000 * seconds(lambda: void(oldest)))
        waits: list[float] = []

        def correct() -> None:
            """Do a piece of a correction after another, as the worker does."""
            is_done = False
            while not is_done:
                began = time.perf_counter()
                is_done = correcting.correct(season.pk, correcting.BATCHES)
                waits.append((time.perf_counter() - began) / correcting.BATCHES)

        tell("correct what follows from it, s", seconds(correct))
        tell("slowest batches of it, ms", 1000 * max(waits, default=0.0))
    tell("fold_ratings --check, s", seconds(check))
    tell("fold_ratings --check, MB", CHECK_MB[-1])


CHECK_MB: list[float] = []


def check() -> None:
    """Run the check as an operator does, and note the memory of its process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = subprocess.run(
        [sys.executable, "manage.py", "fold_ratings", "--check"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    CHECK_MB.append(max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, before) / 1024)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def tell(name: str, value: float) -> None:
    """Hand a value to the process that compares the sizes."""
    print(f"\t{name}\t{value}", flush=True)


def report(results: list[dict[str, float]]) -> None:
    from bench.figures import figure

    first, last = results[0], results[-1]
    names = [name for name in last if name in first and not name.startswith(("read: ", "cpu: ", "ratio: "))]
    print_table("what once grew", ONCE_LINEAR, results)
    slowest_first = sorted(names, key=lambda name: -last[name])
    print_table("everything, the slowest first", {name: name for name in slowest_first}, results)
    timed = [name for name in names if name.startswith(("/", "task:")) and name not in UNHURRIED]
    slowest = max(timed, key=lambda name: last[f"cpu: {name}"])
    figure(f"slowest page, call or task ({slowest})", last[f"cpu: {slowest}"], "ms of CPU", at_most=MOST_MS)
    grown = {
        name: last[f"ratio: {name}"] / first[f"ratio: {name}"]
        for name in timed
        if last[f"cpu: {name}"] > NOISE_MS
    }
    if grown:
        worst = max(grown, key=lambda name: grown[name])
        figure(
            f"worst growth of what takes over {NOISE_MS:g} ms ({worst})",
            grown[worst],
            "x",
            at_most=MOST_FACTOR,
        )
    figure("matchmaking of all ladders", last["task: fill the ladders' queues"], "ms", at_most=50)
    figure("voiding the newest result", last["void the newest result, ms"], "ms", at_most=1000)
    figure("correcting the oldest result", last["correct what follows from it, s"], "s", at_most=60)
    figure("slowest batches of a correction", last["slowest batches of it, ms"], "ms", at_most=1000)
    figure("fold_ratings --check", last["fold_ratings --check, MB"], "MB", at_most=200)
    whole = sum(value for name, value in last.items() if name.startswith("bytes per match"))
    figure("all tables and indexes", whole / 1024, "KB per match", at_most=4.5)
    times = max(value for name, value in last.items() if name.startswith("bytes of times"))
    figure("times of decisions, with most seats", times / 1024, "KB per match", at_most=0.4)


def print_table(title: str, names: dict[str, str], results: list[dict[str, float]]) -> None:
    """Print for each name what it took and what it read at each size, how that grew, and a verdict.

    Times beside those of the reference tell growth from other work on the machine.
    """
    sizes = " | ".join(f"{matches:,}" for matches in SIZES)
    print(
        f"| {title} | ms of CPU: {sizes} | growth beside the reference | read: {sizes} | growth | verdict |"
    )
    print("|---" * (2 * len(SIZES) + 4) + "|")
    for title_of_row, name in names.items():
        values = [result.get(f"cpu: {name}", result.get(name)) for result in results]
        read = [result.get(f"read: {name}") for result in results]
        ratios = [result.get(f"ratio: {name}") for result in results]
        judged = read if read[0] is not None else values
        cells = row(values, ratios if ratios[0] is not None else values)
        print(f"| {title_of_row} | {cells} | {row(read, read)} | {verdict(judged[0], judged[-1])} |")


def row(values: list[float | None], compared: list[float | None]) -> str:
    """Return cells for the values of all sizes, and how the last compares to the first."""
    if values[0] is None or values[-1] is None:
        return " | ".join([""] * (len(values) + 1))
    cells = [f"{value:,.0f}" if value and value >= 100 else f"{value or 0:.1f}" for value in values]
    return " | ".join([*cells, f"{(compared[-1] or 0) / max(compared[0] or 0, 0.001):.1f}x"])


def verdict(small: float | None, large: float | None) -> str:
    """Say by how much more is read, which does not depend on how busy the machine is."""
    if small is None or large is None:
        return ""
    if large <= MOST_FACTOR * small + FEW:
        return "flat"
    return "logarithmic" if large <= LOGARITHMIC * small + FEW else "GROWS"


if __name__ == "__main__":
    main()
