"""What happened, in the order it happened, for spectators, bots and logs.

The phases log *raw* events: tuples of a number for the kind, then its values. `event(raw)` names them.
An event is public except for what `seen_by` takes out of it: the kind of a drawn card and the power card
that a seat chose are only for that seat.
"""

from dataclasses import dataclass
from typing import Final

AGE_BEGAN: Final = 0
CHOSE: Final = 1
TOOK_PAWNS: Final = 2
ORDER: Final = 3
PLACED: Final = 4
EAGLE_PLACED: Final = 5
MOVED: Final = 6
REVEALED: Final = 7
BATTLE_DECLARED: Final = 8
COEXISTED: Final = 9
TLATOANI_PLAYED: Final = 10
GAMES_PLAYED: Final = 11
REMOVED: Final = 12
TIED: Final = 13
DREW: Final = 14
NO_CARD: Final = 15
RESHUFFLED: Final = 16
BLESSED: Final = 17
RAFTED: Final = 18
RAFTED_ALL: Final = 19
NAMED_TYPE: Final = 20
DOMAIN: Final = 21
SCORED: Final = 22
ENDED: Final = 23
SWAPPED: Final = 24
WON: Final = 25
PHASE_BEGAN: Final = 26
BATTLE_WON: Final = 27

HIDDEN: Final = -1

# name, fields; a field that ends in `*` takes all the values that are left.
_SHAPES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("age_began", ("age",)),
    ("power_chosen", ("seat", "card")),
    ("pawns_taken", ("seat", "side", "from_reserve", "from_removed")),
    ("turn_order", ("seats*",)),
    ("pawn_placed", ("seat", "side", "territory")),
    ("eagle_placed", ("seat", "side", "territory", "from_removed")),
    ("pawn_moved", ("seat", "side", "from", "to")),
    ("power_revealed", ("seat", "card")),
    ("battle_declared", ("seat", "territory")),
    ("coexistence", ("seat", "territory")),
    ("tlatoani_played", ("seat", "territory")),
    ("games_played", ("seat", "territory")),
    ("pawns_removed", ("side", "territory", "count")),
    ("conflict_tied", ("territory", "seats*")),
    ("card_drawn", ("seat", "card")),
    ("no_card_left", ("seat",)),
    ("deck_reshuffled", ("cards",)),
    ("blessing_played", ("seat", "card", "territories", "points")),
    ("raft_played", ("seat", "from", "to")),
    ("raft_played_everywhere", ("seat",)),
    ("type_named", ("seat", "type")),
    ("domain_scored", ("seat", "size", "matches", "points", "territories*")),
    ("age_scored", ("seat", "points", "score", "arrival")),
    (
        "end_scored",
        ("seat", "unused_card", "card_points", "hand_points", "offering_points", "score", "arrival"),
    ),
    ("factions_swapped", ("side_of*",)),
    ("game_over", ("placements*",)),
    ("phase_began", ("phase",)),
    ("battle_won", ("seat", "territory")),
)
_PRIVATE: Final = {"power_chosen": "card", "card_drawn": "card"}

Value = int | list[int]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. Territories, types, sides and seats are numbers, cards too."""

    kind: str
    data: dict[str, Value]

    def seen_by(self, seat: int) -> "Event":
        """The event as this seat may see it (-1: as a spectator may). What is hidden is -1."""
        secret = _PRIVATE.get(self.kind)
        if secret is None or self.data["seat"] == seat:
            return self
        return Event(self.kind, {**self.data, secret: HIDDEN})


def event(raw: tuple[int, ...]) -> Event:
    """The named form of a raw event."""
    kind, fields = _SHAPES[raw[0]]
    data: dict[str, Value] = {}
    for i, field in enumerate(fields, 1):
        if field.endswith("*"):
            data[field[:-1]] = list(raw[i:])
        else:
            data[field] = raw[i]
    return Event(kind, data)


def events(raw: list[tuple[int, ...]]) -> list[Event]:
    """The named forms of many raw events."""
    return [event(one) for one in raw]
