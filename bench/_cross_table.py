"""The stored results of the house bots against each other, and the page of the documentation that shows them.

`make bench ONLY=bots` writes both. A result is the share of the other's seats that a bot placed before, one
number for each duplicate set. Results of bots that have since changed are not mixed with new ones.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from aztlan.local.player_results import elo, interval
from bench._bot_sources import ROOT, digests
from bench._house_ladder_log import HouseLadders, Result, ratings, strengths

STORED, PAGE = ROOT / "docs" / "house-bots.json", ROOT / "docs" / "house-bots.md"


@dataclass
class CrossTable:
    """Shares by seats and pair; the first of a pair is the one that stands later in `names`."""

    names: list[str]
    digests: dict[str, str]
    shares: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def load(cls, names: list[str], path: Path = STORED) -> "CrossTable":
        """Return what was stored for these very bots, without the pairs of which one has changed."""
        data = json.loads(path.read_text()) if path.exists() else {"digests": {}, "shares": {}}
        now = digests(names)
        same = {name for name in names if data["digests"].get(name) == now[name]}
        return cls(
            names,
            now,
            {pair: kept for pair, kept in data["shares"].items() if same.issuperset(pair.split()[:2])},
        )

    def save(self) -> None:
        """Store the table, and write its page."""
        STORED.write_text(json.dumps(self.__dict__, indent=1) + "\n")
        PAGE.write_text(page(self, HouseLadders.load(self.names)))

    def of(self, later: str, earlier: str, seats: int) -> list[float]:
        """The results of one bot against one that stands before it."""
        return self.shares.setdefault(f"{later} {earlier} {seats}", [])


def page(table: CrossTable, ladders: HouseLadders) -> str:
    """The page as Markdown: a cross table for each number of seats, each rung beside the one below, ladders."""
    tables = "\n".join(_cross(table, seats) for seats in (2, 3, 4))
    return f"""# House bots against each other

Written by `make bench ONLY=bots`; change nothing here. Two bots share a table, and every fair arrangement of their
seats is played from the same seed: that is one set. The share says how many of the other's seats a bot placed before:
50 means equally strong. Behind it stand the 95 % interval and the number of sets. `searcher` tries 20 worlds per decision here, `ismcts`
and `champion` make their usual number of simulations, so that the table does not depend on the machine. Where a cell is empty, the
pair has not been played since one of the two last changed.

{tables}
## Is each above the one before?

An interval that begins above 50 shows it.

| | 2 seats | 3 seats | 4 seats |
|---|---|---|---|
{_steps(table)}
{_ladders(ladders)}"""


def _cross(table: CrossTable, seats: int) -> str:
    head = "| | " + " | ".join(f"`{name}`" for name in table.names) + " |"
    rows = []
    for name in table.names:
        cells = [_cell(_seen_by(table, name, other, seats)) for other in table.names]
        rows.append(f"| `{name}` | " + " | ".join(cells) + " |")
    line = "|---" * (len(table.names) + 1) + "|"
    return f"## {seats} seats\n\n" + "\n".join([head, line, *rows]) + "\n"


def _seen_by(table: CrossTable, name: str, other: str, seats: int) -> list[float]:
    at, against = table.names.index(name), table.names.index(other)
    if at > against:
        return table.shares.get(f"{name} {other} {seats}", [])
    return [1 - share for share in table.shares.get(f"{other} {name} {seats}", [])]


def _cell(shares: list[float]) -> str:
    if not shares:
        return ""
    low, high = interval(shares)
    between = (
        " (one set)"
        if low is None or high is None
        else f" ({100 * low:.0f} to {100 * high:.0f}; {len(shares)})"
    )
    return f"{100 * fmean(shares):.0f}{between}"


def _steps(table: CrossTable) -> str:
    rows = []
    for i in range(1, len(table.names)):
        later, earlier = table.names[i], table.names[i - 1]
        cells = [_step(table.shares.get(f"{later} {earlier} {seats}", [])) for seats in (2, 3, 4)]
        rows.append(f"| `{later}` above `{earlier}` | " + " | ".join(cells) + " |\n")
    return "".join(rows)


def _step(shares: list[float]) -> str:
    low = interval(shares)[0] if len(shares) > 1 else None
    if low is None:
        return "not measured"
    verdict = "yes" if low > 0.5 else "not shown"
    return f"{verdict}, Elo {elo(fmean(shares)):+.0f}, at least {elo(low):+.0f}"


def _ladders(ladders: HouseLadders) -> str:
    logs = {seats: ladders.logs.get(str(seats), []) for seats in (2, 3, 4)}
    parts = [_ladder(ladders.names, seats, log) for seats, log in logs.items() if log]
    if not parts:
        return LADDER + "\nNot played since one of the bots last changed.\n"
    return LADDER + "\n" + "\n".join(parts)


LADDER = """## Do ratings find this order?

`make bench ONLY=house_ladder`: a ladder on which only the eight play, none of them a fixed point, with the arena's own matchmaking, Elo and
strength, two matches at a time, without clocks (`searcher` with 20 worlds). Strength is shown with its 95 % interval. In bold: a number that is not above that of the rung before.
"""


def _ladder(names: list[str], seats: int, log: list[Result]) -> str:
    elos, known = ratings(log), strengths(log)
    rows, before = [], (float("-inf"), float("-inf"))
    for bot, name in enumerate(names):
        now = elos[bot].rating, known.known(bot).mean
        shown = [
            f"{value:.0f}" if value > last else f"**{value:.0f}**"
            for value, last in zip(now, before, strict=True)
        ]
        low, high = known.known(bot).low, known.known(bot).high
        rows.append(f"| `{name}` | {elos[bot].games} | {shown[0]} | {shown[1]} ({low:.0f} to {high:.0f}) |\n")
        before = now
    return (
        f"### {seats} seats, {len(log)} matches\n\n| | results | Elo | strength |\n|---|---|---|---|\n"
        + "".join(rows)
    )
