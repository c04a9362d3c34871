"""Rulebook back page, Domain Scoring Table. The board must allow what the table allows, and nothing else.

A dash in the table is a claim about the map: no domain of that size can hold that many territories of one
type. Each of the five types has its own power card, so the claim is checked for each.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from engine import load_board
from engine.board import Board
from engine.phases.scoring import domain_points

TABLE = """
 1  0  2  -  -  -  -  -
 2  0  3  -  -  -  -  -
 3  0  4  7  -  -  -  -
 4  0  5  8 13  -  -  -
 5  0  6  9 14  -  -  -
 6  0  7 10 15 22  -  -
 7  0  8 11 16 23 32  -
 8  0  9 12 17 24 33  -
 9  0 10 13 18 25 34  -
10  0 11 14 19 26 35 46
11  0 12 15 20 27 36 47
12  0 13 16 21 28 37 48
13  0 14 17 22 29 38 49
14  0 15 18 23 30 39 50
15  0 16 19 24 31 40 51
"""
ROWS = [line.split() for line in TABLE.split("\n") if line]
ENTRIES = {(int(row[0]), matches): entry for row in ROWS for matches, entry in enumerate(row[1:])}
LAST_DASH = max(size for (size, _), entry in ENTRIES.items() if entry == "-")


def test_the_engine_scores_every_entry_of_the_table() -> None:
    for (size, matches), entry in ENTRIES.items():
        if entry != "-":
            assert domain_points(size, matches) == int(entry)


@pytest.mark.parametrize("kind", range(5))
def test_no_dash_can_occur(kind: int) -> None:
    assert LAST_DASH == 9  # so all connected sets of up to nine territories decide it
    for size in range(1, LAST_DASH + 1):
        dashes = {matches for matches in range(7) if ENTRIES[size, matches] == "-"}
        assert not dashes & pairs()[size][kind]


@pytest.mark.parametrize("kind", range(5))
def test_every_other_entry_can_occur(kind: int) -> None:
    for (size, matches), entry in ENTRIES.items():
        if entry != "-":
            assert matches in pairs()[size][kind], (size, matches)


@cache
def pairs() -> dict[int, list[set[int]]]:
    """By size and type: how many territories of the type a domain of the size can hold.

    Up to ten territories all connected sets are looked at; beyond, some that grow from those, which is
    enough to show that an entry occurs.
    """
    board = load_board()
    found = {}
    level = {1 << t for t in range(board.size)}
    for size in range(1, 16):
        found[size] = [{(one & mask).bit_count() for one in level} for mask in board.type_masks]
        if size >= 10:
            level = set(samples(board, level))
        level = {one | grown for one in level for grown in edge(board, one)}
    return found


def edge(board: Board, domain: int) -> Iterator[int]:
    """The territories next to a domain, as single bits."""
    reach, left = 0, domain
    while left:
        bit = left & -left
        left ^= bit
        reach |= board.adjacent[bit.bit_length() - 1]
    reach &= ~domain
    while reach:
        yield reach & -reach
        reach &= reach - 1


def samples(board: Board, level: set[int]) -> Iterator[int]:
    """A few sets for each type and number of matches."""
    for mask in board.type_masks:
        kept = [0] * 7
        for one in sorted(level):
            matches = (one & mask).bit_count()
            if kept[matches] < 20:
                kept[matches] += 1
                yield one
