"""The tables of `make bench ONLY=growth`: figures at each size side by side, their growth and a verdict."""

from collections.abc import Mapping, Sequence

from bench.figures import figure

MOST_MS, MOST_FACTOR = 100.0, 2.0
IN_THE_BACKGROUND = {
    "task: estimate strengths", "task: count results by version", "task: look for stuck work",
    "task: forget old logs and replays", "task: forget old sessions", "task: make a backup and verify it",
    "task: renew the statistics of tables",
}  # fmt: skip
"""On the queue for what can wait, where nobody does: judged by what they read."""
ONCE_LINEAR = {
    "void the newest result, in ms": "void the newest result, ms",
    "void the oldest result (its correction follows), in ms": "void the oldest result, ms",
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

Figures = Mapping[str, float]


def report(sizes: Sequence[int], results: Sequence[Figures]) -> None:
    """Print what once grew, then everything, then the verdict on each target whose figure is known."""
    first, last = results[0], results[-1]
    print_table("what once grew", ONCE_LINEAR, sizes, results)
    names = [name for name in last if name in first and f"read: {name}" in last]
    slowest_first = sorted(names, key=lambda name: -last[name])
    print_table("everything, the slowest first", {name: name for name in slowest_first}, sizes, results)
    timed = [name for name in names if name not in IN_THE_BACKGROUND]
    if timed:
        judge_times(timed, first, last)
    targets = (
        ("matchmaking of all ladders", "task: fill the ladders' queues", "ms", 50),
        ("voiding the newest result", "void the newest result, ms", "ms", 1000),
        ("correcting the oldest result", "correct what follows from it, s", "s", 60),
        ("longest wait for the season's lock meanwhile", "longest wait meanwhile, ms", "ms", 1000),
        ("fold_ratings --check", "fold_ratings --check, MB", "MB", 200),
    )
    for title, name, unit, most in targets:
        if name in last:
            figure(title, last[name], unit, at_most=most)
    judge_storage(last)


def judge_times(timed: Sequence[str], first: Figures, last: Figures) -> None:
    slowest = max(timed, key=lambda name: last[name])
    figure(f"slowest page, call or task ({slowest})", last[slowest], "ms", at_most=MOST_MS)
    growth = {name: last[name] / first[name] for name in timed if last[name] > NOISE_MS}
    if growth:
        worst = max(growth, key=lambda name: growth[name])
        title = f"worst growth of what takes over {NOISE_MS:g} ms ({worst})"
        figure(title, growth[worst], "x", at_most=MOST_FACTOR)


def judge_storage(last: Figures) -> None:
    tables = [value for name, value in last.items() if name.startswith("bytes per match")]
    times = [value for name, value in last.items() if name.startswith("bytes of times")]
    if tables and times:
        figure("all tables and indexes", sum(tables) / 1024, "KB per match", at_most=4.5)
        figure("times of decisions, with most seats", max(times) / 1024, "KB per match", at_most=0.4)


def print_table(
    title: str, names: Mapping[str, str], sizes: Sequence[int], results: Sequence[Figures]
) -> None:
    """Print for each name what it took and read at each size, how that grew, and a verdict."""
    heads = " | ".join(f"{matches:,}" for matches in sizes)
    print(f"\n| {title} | ms: {heads} | growth | read: {heads} | growth | verdict |")
    print("|---" * (2 * len(sizes) + 4) + "|")
    for title_of_row, name in names.items():
        times = [result.get(name) for result in results]
        read = [result.get(f"read: {name}") for result in results]
        if times[-1] is not None:
            print(f"| {title_of_row} | {row(times)} | {row(read)} | {verdict(times, read)} |")


def row(values: Sequence[float | None]) -> str:
    """Return cells for the values of all sizes, and how the last compares to the first."""
    cells = ["" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}" for value in values]
    small, large = values[0], values[-1]
    factor = "" if small is None or large is None else f"{large / max(small, 0.001):.1f}x"
    return " | ".join([*cells, factor])


def verdict(times: Sequence[float | None], read: Sequence[float | None]) -> str:
    """Say how much more is read, which does not depend on the machine, and where time goes beyond a target."""
    (small, large), (small_ms, large_ms) = (read[0], read[-1]), (times[0], times[-1])
    if small is None or large is None or small_ms is None or large_ms is None:
        return ""
    if large <= MOST_FACTOR * small + FEW:
        words = "flat"
    else:
        words = "logarithmic" if large <= LOGARITHMIC * small + FEW else "READS MORE"
    if large_ms > MOST_MS:
        words += ", SLOW"
    return words + (", GROWS" if large_ms > max(MOST_FACTOR * small_ms, NOISE_MS) else "")
