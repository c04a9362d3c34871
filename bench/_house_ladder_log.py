"""The stored logs of ladders on which only house bots play, and what the arena's own rating code makes of them.

`make bench ONLY=house_ladder` plays them. A log is a list of results, each the bots in the order of their seats
with their places; every pairing, rating and strength follows from it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from bench._bot_sources import ROOT, digests
from contests.pairing import Candidate, make_tables
from contests.rating import Place, Rated, fold
from contests.result_log import Line
from contests.strength import Strengths, estimate

STORED = ROOT / "docs" / "house-ladder.json"
SECONDS = 10.0
"""Between two matches, as on the demo ladders."""
Result = list[list[int]]
"""For each seat the number of its bot, from the weakest rung up, and its place."""


@dataclass
class HouseLadders:
    """One log per number of seats."""

    names: list[str]
    digests: dict[str, str]
    logs: dict[str, list[Result]] = field(default_factory=dict)

    @classmethod
    def load(cls, names: list[str], path: Path = STORED) -> "HouseLadders":
        """Return what was stored for these very bots, or ladders without results."""
        data = json.loads(path.read_text()) if path.exists() else {}
        return cls(names, digests(names), data["logs"] if data.get("digests") == digests(names) else {})

    def save(self, path: Path = STORED) -> None:
        """Store the logs, a result per line."""
        parts = [
            f'"{seats}": [\n' + ",\n".join(json.dumps(one, separators=(",", ":")) for one in log) + "\n]"
            for seats, log in sorted(self.logs.items())
        ]
        head = f'"names": {json.dumps(self.names)},\n"digests": {json.dumps(self.digests)},\n'
        path.write_text("{\n" + head + '"logs": {\n' + ",\n".join(parts) + "\n}\n}\n")

    def of(self, seats: int) -> list[Result]:
        """Return the log of one ladder."""
        return self.logs.setdefault(str(seats), [])


def next_tables(bots: int, seats: int, log: Sequence[Result], count: int) -> list[tuple[int, ...]]:
    """Return who meets whom next on the ladder, as the arena's matchmaking chooses after this log."""
    known, had = strengths(log), {bot: [0] * seats for bot in range(bots)}
    last: Counter[int] = Counter()
    for number, result in enumerate(log, 1):
        for seat, (bot, _) in enumerate(result):
            last[bot], had[bot][seat] = number, had[bot][seat] + 1
    candidates = [
        Candidate(
            bot,
            frozenset(),
            known.known(bot).mean,
            known.known(bot).own,
            SECONDS * (len(log) - last[bot]),
            0,
            had[bot],
        )
        for bot in range(bots)
    ]
    tables = make_tables(candidates, seats, count, Random(f"house ladder {seats} {len(log)}"))
    return [tuple(one.bot for one in table) for table in tables]


def strengths(log: Sequence[Result]) -> Strengths:
    """Estimate the strengths, with no bot a fixed point."""
    return estimate(Line(number, places_of(result)) for number, result in enumerate(log, 1))


def ratings(log: Sequence[Result]) -> dict[int, Rated]:
    """Return the Elo ratings after the log, with no bot a fixed point."""
    return fold(places_of(result) for result in log)


def places_of(result: Result) -> list[Place]:
    """Return a result as the rating code takes it."""
    return [Place(bot, place) for bot, place in result]


def out_of_order(values: Sequence[float]) -> int:
    """Return how many neighbouring rungs do not rise."""
    return sum(later <= earlier for earlier, later in pairwise(values))
