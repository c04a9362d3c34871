"""Broken boards of every kind: each is refused, and the field that is wrong is named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import load_board
from engine.board import Board
from engine.boardfile import board_from_data
from engine.errors import BoardError
from tests.engine.random_games import junk
from tests.engine.small_boards import ISLET, Raw, ring


def spoiled(**changes: Any) -> Callable[[Raw], Any]:
    return lambda raw: raw.update(changes)


def territory(index: int, **changes: Any) -> Callable[[Raw], Any]:
    return lambda raw: raw["territories"][index].update(changes)


def lake(index: int, **changes: Any) -> Callable[[Raw], Any]:
    return lambda raw: raw["lakes"][index].update(changes)


def card(index: int, **changes: Any) -> Callable[[Raw], Any]:
    return lambda raw: raw["powerCards"][index].update(changes)


BROKEN: list[tuple[str, Callable[[Raw], Any], str, str]] = [
    ("no types", lambda raw: raw.pop("types"), "types", "list"),
    ("types no list", spoiled(types={}), "types", "list"),
    ("a type with no id", lambda raw: raw["types"][2].pop("id"), "types[2].id", "text"),
    ("a type of no name we know", lambda raw: raw["types"][2].update(id="sea"), "types", "these five"),
    ("four types", lambda raw: raw["types"].pop(), "types", "these five"),
    ("a type twice", lambda raw: raw["types"].append({"id": "city"}), "types", "these five"),
    ("no territories", lambda raw: raw.pop("territories"), "territories", "list"),
    ("no territory at all", spoiled(territories=[]), "territories", "2 to 60"),
    ("a territory that is a text", lambda raw: raw["territories"].append("t"), "territories[6].id", "text"),
    ("a territory with no id", lambda raw: raw["territories"][1].pop("id"), "territories[1].id", "text"),
    ("an id that is a number", territory(1, id=7), "territories[1].id", "text"),
    ("an id with a space", territory(4, id="sand spit"), "territories.sand spit", "letters and digits"),
    ("an empty id", territory(4, id=""), "territories.", "letters and digits"),
    ("an id twice", territory(4, id="east"), "territories", "same id"),
    (
        "no neighbours",
        lambda raw: raw["territories"][0].pop("neighbours"),
        "territories.north.neighbours",
        "list",
    ),
    (
        "a neighbour that is not there",
        territory(0, neighbours=["east", "west", "moon"]),
        "territories.north.neighbours",
        "'moon'",
    ),
    (
        "a neighbour that is a list",
        territory(0, neighbours=[[]]),
        "territories.north.neighbours",
        "no territory",
    ),
    (
        "a neighbour twice",
        territory(0, neighbours=["east", "west", "east"]),
        "territories.north.neighbours",
        "twice",
    ),
    (
        "its own neighbour",
        territory(0, neighbours=["east", "west", "north"]),
        "territories.north.neighbours",
        "own",
    ),
    (
        "a neighbour one way only",
        territory(4, neighbours=[]),
        "territories.spit.neighbours",
        "must name east",
    ),
    ("a type that is not there", territory(0, type="sea"), "territories.north.type", "one of"),
    ("a type that is a list", territory(0, type=[]), "territories.north.type", "one of"),
    ("a type that no territory has", territory(4, type="city"), "territories", "each type"),
    ("lakes missing", lambda raw: raw.pop("lakes"), "lakes", "list"),
    ("a lake that is a number", spoiled(lakes=[3]), "lakes[0]", "object"),
    ("a lake with no shores", lambda raw: raw["lakes"][0].pop("shores"), "lakes[0].shores", "list"),
    ("a lake with no id", lambda raw: raw["lakes"][0].pop("id"), "lakes[0].id", "text"),
    ("two lakes of one id", lake(1, id="mere"), "lakes", "same id"),
    ("a shore that is not there", lake(0, shores=["moon"]), "lakes[0].shores", "'moon'"),
    ("a shore twice", lake(0, shores=["north", "north"]), "lakes[0].shores", "twice"),
    (
        "a shore that does not know its lake",
        lake(0, shores=["north", "east", "south", "west", "spit"]),
        "territories.spit.lakes",
        "whose shores",
    ),
    (
        "a territory on a lake that does not know it",
        territory(4, lakes=["mere"]),
        "territories.spit.lakes",
        "whose",
    ),
    ("a lake named by a list", territory(4, lakes=[[]]), "territories.spit.lakes", "whose shores"),
    (
        "no lakes of a territory",
        lambda raw: raw["territories"][4].pop("lakes"),
        "territories.spit.lakes",
        "list",
    ),
    ("no power cards", lambda raw: raw.pop("powerCards"), "powerCards", "list"),
    ("a power card missing", lambda raw: raw["powerCards"].pop(), "powerCards", "4, 5, 6, 7, 8 and 9"),
    ("a power card twice", card(0, power=8), "powerCards", "4, 5, 6, 7, 8 and 9"),
    ("a power card of 3", card(0, power=3), "powerCards", "4, 5, 6, 7, 8 and 9"),
    ("a power that is a text", card(0, power="9"), "powerCards[0].power", "int"),
    ("a power that is true", card(0, power=True), "powerCards[0].power", "int"),
    ("a value missing", lambda raw: raw["powerCards"][3].pop("vp"), "powerCards[3].vp", "int"),
    ("a value that is a fraction", card(3, vp=1.5), "powerCards[3].vp", "int"),
    ("a value below 0", card(3, vp=-1), "powerCards[3].vp", "0 to 1000"),
    ("a value too high", card(3, vp=1001), "powerCards[3].vp", "0 to 1000"),
    ("a card of no type we know", card(0, type="sea"), "powerCards[0].type", "one of"),
    ("two wild cards", card(0, type=None), "powerCards", "one card is wild"),
    ("two cards of a type", card(0, type="city"), "powerCards", "one card is wild"),
    ("a power card that is a list", spoiled(powerCards=[[]]), "powerCards[0]", "object"),
]


@pytest.mark.parametrize(
    ("spoil", "field", "problem"), [one[1:] for one in BROKEN], ids=[one[0] for one in BROKEN]
)
def test_a_broken_board_is_refused_and_its_field_named(
    spoil: Callable[[Raw], Any], field: str, problem: str
) -> None:
    raw = json.loads(ISLET.read_text())
    spoil(raw)
    with pytest.raises(BoardError) as caught:
        board_from_data("broken", raw)
    assert caught.value.field == field
    assert problem in str(caught.value)


def test_two_parts_without_a_way_between_them_are_no_board() -> None:
    raw = ring(10)
    for i, one in enumerate(raw["territories"]):
        half = 5 * (i // 5)
        one["neighbours"] = [f"r{half + (i - 1) % 5}", f"r{half + (i + 1) % 5}"]
    with pytest.raises(BoardError, match="reached"):
        board_from_data("broken", raw)


def test_more_than_sixty_territories_are_too_many() -> None:
    with pytest.raises(BoardError, match="2 to 60"):
        board_from_data("broken", ring(61))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\udcff", "null", "[]", "7"])
def test_a_file_that_is_no_board_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(BoardError) as caught:
        load_board(str(path))
    assert caught.value.field == "file"


@pytest.mark.parametrize("name", ["nowhere", "nowhere.json", "../board", "", "/"])
def test_a_board_that_is_not_there_is_refused_and_the_known_ones_are_named(name: str) -> None:
    with pytest.raises(BoardError, match="one of: aztlan"):
        load_board(name)


@settings(max_examples=200, deadline=None)
@given(st.data(), junk)
def test_no_junk_in_any_place_of_a_board_breaks_the_reader(data: st.DataObject, value: Any) -> None:
    raw: Any = json.loads(ISLET.read_text())
    at = raw
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not at[key] or not isinstance(at[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            break
        at = at[key]
    at[key] = value
    try:
        assert isinstance(board_from_data("spoiled", raw), Board)
    except BoardError as error:
        assert error.field
