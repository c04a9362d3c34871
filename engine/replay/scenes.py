"""Scenes: pictures that a person can follow.

One action can have many consequences: cards are revealed, ties end, everybody scores, an age begins.
"""

from collections.abc import Sequence
from typing import Final

from engine.events import Event
from engine.position import SCORING

_SCORING: Final = {"blessing_played", "raft_played", "raft_played_everywhere", "type_named", "domain_scored"}
_CLOSING: Final = {"age_scored", "end_scored"}
_OPENING: Final = {"power_revealed", "conflict_tied", "factions_swapped", "age_began", "game_over"}
_JOINED: Final = {("factions_swapped", "age_began"), ("phase_began", "domain_scored")}


def scenes(events: Sequence[Event]) -> list[list[Event]]:
    """Group the events: a new scene at the reveal, at ties, at each seat's scoring and at a new age."""
    groups: list[list[Event]] = [[]]
    for event in events:
        if groups[-1] and _parts(groups[-1][-1].kind, event):
            groups.append([])
        groups[-1].append(event)
    return groups


def _parts(before: str, event: Event) -> bool:
    kind = event.kind
    if kind == "power_chosen":
        return True  # seats choose at the same time, and each gets its own picture
    if kind == before or (before, kind) in _JOINED:
        return False
    if kind == "phase_began":
        return event.data["phase"] == SCORING
    return kind in _OPENING or before in _CLOSING or (kind in _SCORING | _CLOSING and before not in _SCORING)
