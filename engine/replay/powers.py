"""Why a conflict was won: each seat's power in the territory when it was settled."""

from typing import Final

from engine.events import Event
from engine.replay.visible_table import VisibleTable

_CONFLICTS: Final = {"battle_declared", "coexistence", "conflict_tied", "tlatoani_played"}


def powers_in(table: VisibleTable, event: Event) -> dict[str, list[list[int]]]:
    """Return {"powers": [[seat, card, pawns], ...]}, the strongest first; nothing for other events.

    English rulebook, Conflict Phase 1: power is the card's number times the pawns there.
    """
    territory = event.data.get("territory")
    if event.kind not in _CONFLICTS or not isinstance(territory, int):
        return {}
    present = [
        [seat, table.power[seat], pawns]
        for seat in range(table.seats)
        if (pawns := table.pawns[table.side_of[seat] * table.size + territory])
    ]
    return {"powers": sorted(present, key=lambda one: -one[1] * one[2])}
