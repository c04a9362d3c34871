"""One action can set off a lot: cards are turned up, ties end, everybody scores, an age begins. Beats cut
that into pictures that a person can follow, and say what the table looks like after each.

The last beat of an action is what the engine shows; those before it are folded from the events. Folding needs
no rules: each event says what changed. A test folds whole games and compares them with the engine.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine import cards
from engine.events import Event
from engine.position import CHOOSING, OVER, SCORING

Table = dict[str, Any]

_SCORING: Final = {"blessing_played", "raft_played", "raft_played_everywhere", "type_named", "domain_scored"}
_CLOSING: Final = {"age_scored", "end_scored"}
_OPENING: Final = {"power_revealed", "conflict_tied", "factions_swapped", "age_began", "game_over"}
_JOINED: Final = {("factions_swapped", "age_began"), ("phase_began", "domain_scored")}


def beats(events: Sequence[Event]) -> list[list[Event]]:
    """The events in groups: before the reveal, before ties, each seat's scoring alone, before a new age."""
    groups: list[list[Event]] = [[]]
    for event in events:
        if groups[-1] and _parts(groups[-1][-1].kind, event):
            groups.append([])
        groups[-1].append(event)
    return groups


def _parts(before: str, event: Event) -> bool:
    kind = event.kind
    if kind == "power_chosen":
        return True  # seats choose at once, and each has its picture
    if kind == before or (before, kind) in _JOINED:
        return False
    if kind == "phase_began":
        return event.data["phase"] == SCORING
    return kind in _OPENING or before in _CLOSING or (kind in _SCORING | _CLOSING and before not in _SCORING)


def after(table: Table, events: Sequence[Event]) -> Table:
    """The table after these events. It is a new one; the old one stays as it is."""
    table = {name: list(value) if isinstance(value, list) else value for name, value in table.items()}
    table["pawns"] = dict(table["pawns"])
    table["hands"] = [None if hand is None else list(hand) for hand in table["hands"]]
    table["claims"] = [list(some) for some in table["claims"]]
    table["to_act"] = -1
    for event in events:
        _FOLDS[event.kind](table, event.data)
    return table


def _put_pawns(table: Table, side: int, t: int, count: int) -> None:
    at = str(side * table["size"] + t)
    table["pawns"][at] = table["pawns"].get(at, 0) + count
    if not table["pawns"][at]:
        del table["pawns"][at]


def _spend(table: Table, seat: int, kind: int) -> None:
    table["hand_sizes"][seat] -= 1
    table["discard"][kind] += 1
    if table["hands"][seat]:
        table["hands"][seat][kind] -= 1
    elif not table["hand_sizes"][seat]:
        table["hands"][seat] = [0] * cards.KINDS


def _age_began(table: Table, data: Table) -> None:
    table |= {"age": data["age"], "phase": CHOOSING, "revealed": 0, "settled": []}
    table["power"] = [0] * len(table["power"])
    table["claims"] = [[] for _ in table["power"]]


def _power_chosen(table: Table, data: Table) -> None:
    table["power"][data["seat"]] = data["card"]
    if data["card"] > 0:
        table["used"][data["seat"]] |= 1 << (data["card"] - 4)


def _pawns_taken(table: Table, data: Table) -> None:
    table["pool"][data["seat"]] = data["from_reserve"] + data["from_removed"]
    table["reserve"][data["side"]] -= data["from_reserve"]
    table["removed"][data["side"]] -= data["from_removed"]


def _turn_order(table: Table, data: Table) -> None:
    table["order"] = data["seats"]


def _pawn_placed(table: Table, data: Table) -> None:
    table["pool"][data["seat"]] -= 1
    _put_pawns(table, data["side"], data["territory"], 1)


def _eagle_placed(table: Table, data: Table) -> None:
    table["removed" if data["from_removed"] else "reserve"][data["side"]] -= 1
    _put_pawns(table, data["side"], data["territory"], 1)
    _spend(table, data["seat"], cards.EAGLE_WARRIORS)


def _pawn_moved(table: Table, data: Table) -> None:
    _put_pawns(table, data["side"], data["from"], -1)
    _put_pawns(table, data["side"], data["to"], 1)


def _power_revealed(table: Table, data: Table) -> None:
    table["power"][data["seat"]] = data["card"]
    table["used"][data["seat"]] |= 1 << (data["card"] - 4)
    table["revealed"] = 1


def _battle_declared(table: Table, data: Table) -> None:
    table |= {"battle": data["territory"], "battle_by": data["seat"]}


def _battle_won(table: Table, data: Table) -> None:
    table |= {"battle": -1, "battle_by": -1}
    _settle(table, data)


def _settle(table: Table, data: Table) -> None:
    if data["territory"] not in table["settled"]:
        table["settled"] = sorted([*table["settled"], data["territory"]])


def _tlatoani_played(table: Table, data: Table) -> None:
    claims = table["claims"]
    claims[data["seat"]] = sorted([*claims[data["seat"]], data["territory"]])
    _spend(table, data["seat"], cards.GREAT_TLATOANI)


def _games_played(table: Table, data: Table) -> None:
    _spend(table, data["seat"], cards.SACRED_GAMES)


def _pawns_removed(table: Table, data: Table) -> None:
    _put_pawns(table, data["side"], data["territory"], -data["count"])
    table["removed"][data["side"]] += data["count"]


def _card_drawn(table: Table, data: Table) -> None:
    table["hand_sizes"][data["seat"]] += 1
    table["deck_size"] -= 1
    if data["card"] < 0:
        table["hands"][data["seat"]] = None
    elif table["hands"][data["seat"]]:
        table["hands"][data["seat"]][data["card"]] += 1


def _deck_reshuffled(table: Table, data: Table) -> None:
    table |= {"deck_size": data["cards"], "discard": [0] * cards.KINDS}


def _blessing_played(table: Table, data: Table) -> None:
    table["pending"] += data["points"]
    _spend(table, data["seat"], data["card"])


def _raft_played(table: Table, data: Table) -> None:
    table["rafts"] = [*table["rafts"], 64 * data["from"] + data["to"]]
    _spend(table, data["seat"], cards.RAFTS)


def _raft_played_everywhere(table: Table, data: Table) -> None:
    table["raft_all"] = 1
    _spend(table, data["seat"], cards.RAFTS)


def _phase_began(table: Table, data: Table) -> None:
    table["phase"] = data["phase"]


def _scored(table: Table, data: Table) -> None:
    table["scores"][data["seat"]] = data["score"]
    table["arrivals"][data["seat"]] = data["arrival"]
    table |= {"pending": 0, "rafts": [], "raft_all": 0}


def _factions_swapped(table: Table, data: Table) -> None:
    table["side_of"] = data["side_of"]


def _game_over(table: Table, _: Table) -> None:
    table |= {"phase": OVER, "over": 1}


def _nothing(_table: Table, _data: Table) -> None:
    """For events that change nothing on the table."""


_FOLDS: Final[dict[str, Callable[[Table, Table], None]]] = {
    "age_began": _age_began,
    "phase_began": _phase_began,
    "power_chosen": _power_chosen,
    "pawns_taken": _pawns_taken,
    "turn_order": _turn_order,
    "pawn_placed": _pawn_placed,
    "eagle_placed": _eagle_placed,
    "pawn_moved": _pawn_moved,
    "power_revealed": _power_revealed,
    "battle_declared": _battle_declared,
    "battle_won": _battle_won,
    "coexistence": _settle,
    "tlatoani_played": _tlatoani_played,
    "games_played": _games_played,
    "pawns_removed": _pawns_removed,
    "conflict_tied": _settle,
    "card_drawn": _card_drawn,
    "no_card_left": _nothing,
    "deck_reshuffled": _deck_reshuffled,
    "blessing_played": _blessing_played,
    "raft_played": _raft_played,
    "raft_played_everywhere": _raft_played_everywhere,
    "type_named": _nothing,
    "domain_scored": _nothing,
    "age_scored": _scored,
    "end_scored": _scored,
    "factions_swapped": _factions_swapped,
    "game_over": _game_over,
}
