"""Reads and checks board files. A board is a JSON file in `engine/boards/`, or anywhere else by its path.

What the rules need: `types` (the five ids), `powerCards` (4 to 9 with type and value), `territories` (id,
name, type, neighbours, lakes) and `lakes` (id, shores). Polygons, colours and labels are for drawing only:
they do not count for the board's hash, so a prettier drawing does not make old records unreadable.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.board import MOST_TERRITORIES, WILD, Board
from engine.cards import HIGHEST_POWER, LOWEST_POWER
from engine.errors import BoardError

BOARDS = Path(__file__).parent / "boards"
TYPE_IDS = {"jungle", "desert", "mountains", "fields", "city"}
T = TypeVar("T")


@cache
def load_board(name: str = "aztlan") -> Board:
    """A board by its id (a file in `engine/boards/`) or by the path of a file."""
    path = Path(name) if name.endswith(".json") else BOARDS / f"{name}.json"
    try:
        text = path.read_bytes()
    except (OSError, ValueError):  # no such file, or a name that no file can have
        known = ", ".join(sorted(one.stem for one in BOARDS.glob("*.json")))
        raise BoardError(
            "file", f"there is no board {name[:100]!r}; give a path ending in .json or one of: {known}"
        ) from None
    try:
        raw = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise BoardError("file", f"{path.name} is not JSON: {error}") from None
    return board_from_data(path.stem, raw)


def board_from_data(board_id: str, raw: Any) -> Board:
    """Check the data of a board file and make a Board of it."""
    types = _field(raw, "types", list)
    type_ids = [_text(one, f"types[{i}].id", "id") for i, one in enumerate(types)]
    _check(
        set(type_ids) == TYPE_IDS and len(type_ids) == 5, "types", f"must be these five: {sorted(TYPE_IDS)}"
    )
    territories = _field(raw, "territories", list)
    _check(2 <= len(territories) <= MOST_TERRITORIES, "territories", f"there must be 2 to {MOST_TERRITORIES}")
    ids = [_text(one, f"territories[{i}].id", "id") for i, one in enumerate(territories)]
    _check(len(set(ids)) == len(ids), "territories", "two territories have the same id")
    for one in ids:
        _check(
            one.isascii() and one.isalnum(),
            f"territories.{one}",
            "an id may only have ASCII letters and digits",
        )
    neighbours = [_indexes(one, "neighbours", ids, f"territories.{one['id']}") for one in territories]
    lakes = _field(raw, "lakes", list)
    shores = [_indexes(one, "shores", ids, f"lakes[{i}]") for i, one in enumerate(lakes)]
    _check_neighbours(ids, neighbours)
    _check_shores(territories, lakes, ids, shores)
    cards = _power_cards(raw, type_ids)
    kinds = [_type_index(one, type_ids, f"territories.{one['id']}.type") for one in territories]
    _check(set(kinds) == set(range(5)), "territories", "each type must occur")
    rules = {
        "types": type_ids,
        "powerCards": cards,
        "territories": [[ids[t], type_ids[kinds[t]], neighbours[t]] for t in range(len(ids))],
        "lakes": shores,
    }
    digest = hashlib.sha256(json.dumps(rules, separators=(",", ":"), sort_keys=True).encode()).hexdigest()
    named = [(ids[t], str(territories[t].get("name", ids[t])), kinds[t]) for t in range(len(ids))]
    return Board(board_id, digest, type_ids, named, neighbours, shores, cards, raw)


def _check(fine: bool, field: str, problem: str) -> None:
    if not fine:
        raise BoardError(field, problem)


def _field(raw: Any, name: str, kind: type[T], where: str = "") -> T:
    label = f"{where}.{name}" if where else name
    _check(isinstance(raw, dict), where or "file", "must be a JSON object")
    value = raw.get(name)
    fine = isinstance(value, kind) and not isinstance(value, bool)
    _check(fine, label, f"must be given, as a {kind.__name__}")
    return cast(T, value)


def _text(raw: Any, label: str, name: str) -> str:
    _check(isinstance(raw, dict) and isinstance(raw.get(name), str), label, "must be a text")
    return str(raw[name])


def _indexes(raw: Any, name: str, ids: list[str], where: str) -> list[int]:
    found = _field(raw, name, list, where)
    for one in found:
        _check(one in ids, f"{where}.{name}", f"there is no territory {one!r}")
    _check(len(set(found)) == len(found), f"{where}.{name}", "names a territory twice")
    return sorted(ids.index(one) for one in found)


def _type_index(raw: Any, type_ids: list[str], label: str) -> int:
    _check(raw.get("type") in type_ids, label, f"must be one of {', '.join(type_ids)}")
    return type_ids.index(raw["type"])


def _check_neighbours(ids: list[str], neighbours: list[list[int]]) -> None:
    for a, some in enumerate(neighbours):
        _check(a not in some, f"territories.{ids[a]}.neighbours", "a territory is not its own neighbour")
        for b in some:
            _check(
                a in neighbours[b], f"territories.{ids[b]}.neighbours", f"must name {ids[a]}, which names it"
            )
    reached = _reach(lambda t: neighbours[t])
    _check(
        len(reached) == len(ids), "territories", f"{ids[0]} cannot be reached from each of the others by land"
    )


def _reach(step: Callable[[int], list[int]]) -> set[int]:
    reached, todo = {0}, [0]
    while todo:
        for t in step(todo.pop()):
            if t not in reached:
                reached.add(t)
                todo.append(t)
    return reached


def _check_shores(territories: list[Any], lakes: list[Any], ids: list[str], shores: list[list[int]]) -> None:
    lake_ids = [_text(one, f"lakes[{i}].id", "id") for i, one in enumerate(lakes)]
    _check(len(set(lake_ids)) == len(lake_ids), "lakes", "two lakes have the same id")
    for t, one in enumerate(territories):
        label = f"territories.{ids[t]}"
        expected = {lake_ids[i] for i, some in enumerate(shores) if t in some}
        named = _field(one, "lakes", list, label)
        _check(
            all(isinstance(lake, str) for lake in named) and set(named) == expected,
            f"{label}.lakes",
            "must name the lakes whose shores name it",
        )


def _power_cards(raw: Any, type_ids: list[str]) -> list[tuple[int, int]]:
    """(type, end value) of the cards 4 to 9. Exactly one card is wild, and each type has its card."""
    cards = _field(raw, "powerCards", list)
    found: dict[int, tuple[int, int]] = {}
    for i, one in enumerate(cards):
        label = f"powerCards[{i}]"
        power, value = _field(one, "power", int, label), _field(one, "vp", int, label)
        _check(0 <= value <= 1000, f"{label}.vp", "must be from 0 to 1000")
        kind = WILD if one.get("type") is None else _type_index(one, type_ids, f"{label}.type")
        found[power] = (kind, value)
    _check(
        sorted(found) == [4, 5, 6, 7, 8, 9] and len(cards) == 6, "powerCards", "must be 4, 5, 6, 7, 8 and 9"
    )
    types = sorted(kind for kind, _ in found.values())
    _check(types == [WILD, 0, 1, 2, 3, 4], "powerCards", "one card is wild and each type has one card")
    return [found[power] for power in range(LOWEST_POWER, HIGHEST_POWER + 1)]
