"""The stored results of the house bots against each other, and the page of the documentation that shows them.

`make bench ONLY=bots` writes both. A result is the share of the other's seats that a bot placed before, one
number for each duplicate set. Results of bots that have since changed are not mixed with new ones.
"""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import fmean

from aztlan.local.player_results import elo, interval

ROOT = Path(__file__).parent.parent
STORED, PAGE = ROOT / "docs" / "house-bots.json", ROOT / "docs" / "house-bots.md"
SOURCES = (
    "sdk/aztlan/house/*.py",
    "sdk/aztlan/house/*.npz",
    *(f"engine/kernel/{name}.c" for name in ("judge", "sample", "foretell", "tree")),
)
"""What decides how the bots play. The kernel's rules are proven equal to the engine's, so they do not."""


def digest_of_bots() -> str:
    """A hash over what plays: the house bots, their weights, and what the kernel searches and judges by."""
    digest = sha256()
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@dataclass
class CrossTable:
    """Shares by seats and pair; the first of a pair is the one that stands later in `names`."""

    names: list[str]
    digest: str
    shares: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def load(cls, names: list[str], path: Path = STORED) -> "CrossTable":
        """What was stored for these very bots, or an empty table."""
        data = json.loads(path.read_text()) if path.exists() else {}
        known = data.get("digest") == digest_of_bots() and data.get("names") == names
        return cls(names, digest_of_bots(), data["shares"] if known else {})

    def save(self) -> None:
        """Store the table, and write its page."""
        STORED.write_text(json.dumps(self.__dict__, indent=1) + "\n")
        PAGE.write_text(page(self))

    def of(self, later: str, earlier: str, seats: int) -> list[float]:
        """The results of one bot against one that stands before it."""
        return self.shares.setdefault(f"{later} {earlier} {seats}", [])


def page(table: CrossTable) -> str:
    """The page as Markdown: a cross table for each number of seats, then each rung beside the one below."""
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
{_steps(table)}"""


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
