"""Observations and legal actions as rows of numbers, for networks. docs/learning.md has the layout.

The kernel writes the same rows (`engine/kernel/see.c`), and a test compares the two.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from engine.actions import TERRITORY_STEP, all_actions
from engine.board import Board
from engine.cards import POWER_CARDS
from engine.observation import Observation

VERSION: Final = 1
"""Changes whenever a number moves or means something else: weights are made for one version."""

NUMBERS: Final = (
    "seat", "seats", "age", "phase", "step", "to_act", "own_power", "deck_size", "battle", "battle_by",
    "pending", "raft_all",
)  # fmt: skip
LISTS: Final = (
    "order", "side_of", "pawns", "reserve", "removed", "pool", "scores", "arrivals", "power", "chosen",
    "hand", "hand_sizes", "discard",
)  # fmt: skip


@cache
def actions(board: Board) -> tuple[int, ...]:
    """All actions that can ever be legal on a board; networks and masks know each by its index."""
    return all_actions(board)


@cache
def indices(board: Board) -> dict[int, int]:
    """The index of each action in `actions`."""
    return {action: i for i, action in enumerate(actions(board))}


def action_mask(legal: Sequence[int], board: Board) -> list[int]:
    """1 for each legal action, by its index in `actions`, and 0 for all others."""
    mask, index = [0] * len(actions(board)), indices(board)
    for action in legal:
        mask[index[action]] = 1
    return mask


def encode(observation: Observation, board: Board) -> list[int]:
    """All numbers of an observation in a fixed order; sets become zeros and ones."""
    return list(_flat(observation, board))


@cache
def parts(board: Board, seats: int) -> tuple[tuple[str, int], ...]:
    """The names of an encoded observation's parts, in order, and how many numbers each has."""
    by_seat, cards = dict.fromkeys(LISTS, seats), {"hand": 8, "discard": 8, "pawns": seats * board.size}
    return (
        *[(name, 1) for name in NUMBERS],
        *[(name, cards.get(name, by_seat[name])) for name in LISTS],
        ("used", seats * POWER_CARDS),
        ("settled", board.size),
        ("claims", seats * board.size),
        ("placed", seats * board.size),
        ("spared", seats),
        ("rafts", len(board.shore_pairs)),
    )


def length(board: Board, seats: int) -> int:
    """How many numbers an encoded observation has."""
    return sum(size for _, size in parts(board, seats))


def _flat(seen: Observation, board: Board) -> Iterator[int]:
    for name in NUMBERS:
        yield getattr(seen, name)
    for name in LISTS:
        yield from getattr(seen, name)
    for used in seen.used:
        yield from _bits(used, POWER_CARDS)
    for territories in (seen.settled, *seen.claims, *seen.placed):
        yield from _bits(territories, board.size)
    yield from _bits(seen.spared, seen.seats)
    yield from (int(TERRITORY_STEP * a + b in seen.rafts) for a, b in board.shore_pairs)


def _bits(mask: int, length: int) -> list[int]:
    return [mask >> i & 1 for i in range(length)]
