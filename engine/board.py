"""A board as the rules see it: numbered territories, bit masks, and ready-made action lists.

A set of territories is an int with bit t set for territory t. Boards are read from files by
`engine.boardfile`; the engine never asks where one came from.
"""

from collections.abc import Sequence
from typing import Any, Final

from engine.actions import BATTLE, COEXIST, EAGLE, MOVE, NAME_TYPE, PASS, PLACE, TERRITORY_STEP, TLATOANI
from engine.cards import BLESSED_TYPES

MOST_TERRITORIES: Final = 60
WILD: Final = -1

_CHUNK: Final = 10
_CHUNK_MASK: Final = (1 << _CHUNK) - 1
# 2 is a primitive root of 61, so the powers 2**0 .. 2**59 leave 60 different remainders.
_INDEX: Final = [0] * 61
for _t in range(MOST_TERRITORIES):
    _INDEX[(1 << _t) % 61] = _t
# Looked up, since a call of `int.bit_count` costs the compiled form more.
_COUNTS: Final = [_subset.bit_count() for _subset in range(1 << _CHUNK)]


def index_of(bit: int) -> int:
    """The territory of a mask that holds just one."""
    return _INDEX[bit % 61]


def count(territories: int) -> int:
    """How many territories a mask holds."""
    total = 0
    while territories:
        total += _COUNTS[territories & _CHUNK_MASK]
        territories >>= _CHUNK
    return total


class ActionTable:
    """The actions that each territory of a set offers, joined from ready-made parts.

    The parts are the answers for all subsets of ten territories, made when first wanted: a list of actions
    then costs two joins on a board of thirty. `always` are actions that every answer begins with.
    """

    def __init__(self, offers: Sequence[Sequence[int]], always: Sequence[int] = ()) -> None:
        self._offers = list(offers)
        self._always = tuple(always)
        self.chunks = (len(offers) + _CHUNK - 1) // _CHUNK
        self._parts: list[tuple[int, ...] | None] = [None] * (self.chunks << _CHUNK)

    def part(self, chunk: int, territories: int) -> tuple[int, ...]:
        """The actions of those territories of the set whose tens are `chunk`."""
        subset = (territories >> (chunk * _CHUNK)) & _CHUNK_MASK
        key = (chunk << _CHUNK) + subset
        found = self._parts[key]
        if found is None:
            actions = list(self._always) if chunk == 0 else []
            for t in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, len(self._offers))):
                if territories >> t & 1:
                    actions += self._offers[t]
            found = tuple(actions)
            self._parts[key] = found
        return found

    def of(self, territories: int) -> tuple[int, ...]:
        """The actions of all territories of the set."""
        actions = self.part(0, territories)
        for chunk in range(1, self.chunks):
            more = self.part(chunk, territories)
            if more:
                actions = actions + more
        return actions

    def pick(self, territories: int, number: int) -> int:
        """`of(territories)[number % its length]`, without joining anything."""
        count = 0
        for chunk in range(self.chunks):
            found = self._parts[(chunk << _CHUNK) + ((territories >> (chunk * _CHUNK)) & _CHUNK_MASK)]
            count += len(self.part(chunk, territories) if found is None else found)
        left = number % count
        for chunk in range(self.chunks):
            found = self._parts[(chunk << _CHUNK) + ((territories >> (chunk * _CHUNK)) & _CHUNK_MASK)]
            if found is not None:
                if left < len(found):
                    return found[left]
                left -= len(found)
        raise AssertionError("every part was made while counting")


class Board:
    """An immutable board. `type_of` and `card_types` hold indexes into `types`; the wild card's is WILD."""

    def __init__(
        self,
        board_id: str,
        board_hash: str,
        types: Sequence[str],
        territories: Sequence[tuple[str, str, int]],
        neighbours: Sequence[Sequence[int]],
        lakes: Sequence[Sequence[int]],
        cards: Sequence[tuple[int, int]],
        raw: dict[str, Any],
    ) -> None:
        self.id = board_id
        self.hash = board_hash
        self.types = list(types)
        self.size = len(territories)
        self.ids = [one[0] for one in territories]
        self.names = [one[1] for one in territories]
        self.type_of = [one[2] for one in territories]
        self.neighbours = [sorted(some) for some in neighbours]
        self.lakes = [sorted(shores) for shores in lakes]
        self.card_types = [card[0] for card in cards]
        self.card_values = [card[1] for card in cards]
        self.raw = raw

        self.adjacent = [_mask(some) for some in self.neighbours]
        self.type_masks = [
            _mask([t for t in range(self.size) if self.type_of[t] == k]) for k in range(len(self.types))
        ]
        self.lake_masks = [_mask(shores) for shores in self.lakes]
        self.shore_pairs: list[tuple[int, int]] = sorted(
            {(a, b) for shores in self.lakes for a in shores for b in shores if a < b}
        )
        self.shore_masks = [1 << a | 1 << b for a, b in self.shore_pairs]
        self.blessed = [self.types.index(name) for name in BLESSED_TYPES]
        self.places = tuple(range(PLACE, PLACE + self.size))
        self.namings = tuple(range(NAME_TYPE, NAME_TYPE + len(self.types)))
        everywhere = range(self.size)
        self.after_placing = ActionTable(
            [[MOVE + TERRITORY_STEP * a + b for b in self.neighbours[a]] for a in everywhere], [PASS]
        )
        self.eagles = ActionTable([[EAGLE + t] for t in everywhere])
        self.settling = ActionTable([[BATTLE + t, COEXIST + t] for t in everywhere])
        self.claiming = ActionTable([[TLATOANI + t] for t in everywhere])


def _mask(territories: Sequence[int]) -> int:
    mask = 0
    for t in territories:
        mask |= 1 << t
    return mask
