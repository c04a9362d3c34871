"""How entrants did against each other, as a matrix."""

from dataclasses import dataclass
from typing import Final

from arena.tournaments.models import TournamentEntry
from arena.tournaments.selectors import Picture
from contests.formats.standings import tallies

MOST_ENTRANTS: Final = 32
"""A larger matrix cannot be read."""


@dataclass(frozen=True)
class CrosstableRow:
    """An entrant's meetings won minus lost against each other entrant; None where they never met."""

    entry: TournamentEntry
    cells: list[int | None]


def crosstable(seen: Picture) -> list[CrosstableRow]:
    """Return the matrix in ranking order; empty where it would be too large or nothing was played."""
    if seen.event is None or len(seen.event.entrants) > MOST_ENTRANTS or not seen.event.played:
        return []
    ranked = seen.ranked()
    found = tallies(seen.event)
    rows = []
    for entry in ranked:
        balance: dict[int, int] = {}
        for other, between in found[entry.pk].met:
            balance[other] = balance.get(other, 0) + (between > 0) - (between < 0)
        rows.append(CrosstableRow(entry, [balance.get(other.pk) for other in ranked]))
    return rows
