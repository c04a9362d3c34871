"""How much of a game's result was luck, by the idea of AIVAT (Burch, Schmid and others, 2018).

Chance acts in two places: the order of the score stack at the start, and each prosperity card that is drawn.
At each of them the value of what came is compared with the mean value of all that could have come, each with
its exact chance: a card is drawn uniformly from those that are left. The difference is luck. Its expectation
is zero whatever the value function says and however the seats play, because nobody knows the card before it
is drawn; so a result minus its luck has the same mean as the result. A good value function only makes its
spread smaller.

A seat's result is the share of its opponents that it placed before, and luck has the same unit: what one seat
gains is taken from the others in equal parts.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache

from engine.board import Board
from engine.cards import BLESSED_TYPES, IN_DECK, KINDS, OFFERING
from engine.errors import RecordError
from engine.events import CHOSE, DREW, ORDER, RESHUFFLED
from engine.record import Record, board_of, check_rules
from engine.replay.luck_values import PUBLISHED
from engine.state import State


@dataclass(frozen=True)
class TableValues:
    """What chance is worth at a table of one size, in shares of a result."""

    order: tuple[float, ...]
    """By place in the first turn order."""
    cards: tuple[tuple[float, ...], ...]
    """By age, then by kind of prosperity card."""
    next_offering: float
    """What an Offering is worth more for each that the seat has drawn before."""
    blessed: float
    """What a Blessing is worth more for each territory of its type where the seat is present."""


@dataclass(frozen=True)
class ValueFunction:
    """Values by number of seats."""

    tables: dict[int, TableValues]

    @property
    def sha256(self) -> str:
        """The hash of all numbers as JSON, with sorted names and no spaces."""
        numbers = {str(seats): asdict(table) for seats, table in self.tables.items()}
        return hashlib.sha256(json.dumps(numbers, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A prosperity card that was drawn, and all that its value may depend on, as it was just before."""

    seat: int
    age: int
    kind: int
    left: tuple[int, ...]
    """How many cards of each kind could have come."""
    offerings: int
    blessed: tuple[int, ...]
    """In how many territories of each blessed type the seat was present."""


@dataclass(frozen=True, slots=True)
class ChanceEvents:
    """The chance events of a game, and the power cards that were chosen: (seat, age, card)."""

    order: tuple[int, ...]
    draws: tuple[DrawnCard, ...]
    chosen: tuple[tuple[int, int, int], ...]


def chance_events(record: Record) -> ChanceEvents:
    """Play a record again, without its checks: whoever stored it has verified it."""
    check_rules(record)
    state = State.new(len(record.seats), record.seed, record.ruleset, board_of(record))
    state.log_events()
    order: tuple[int, ...] = ()
    draws: list[DrawnCard] = []
    chosen: list[tuple[int, int, int]] = []
    left, offerings = list(IN_DECK), [0] * state.seats
    for action in (None, *record.actions):
        age, present, side_of = state.age, tuple(state.present), state.side_of
        if action is not None:
            state.apply(action)
        for event in state.log or ():
            if event[0] == DREW:
                seat, kind = event[1], event[2]
                blessed = blessed_by_type(state.board, present[side_of[seat]])
                draws.append(DrawnCard(seat, age, kind, tuple(left), offerings[seat], blessed))
                left[kind] -= 1
                offerings[seat] += kind == OFFERING
            elif event[0] == RESHUFFLED:  # at most once per action: until the next one nothing is discarded
                left = [state.deck.count(kind) for kind in range(KINDS)]
            elif event[0] == CHOSE:
                chosen.append((event[1], age, event[2]))
            elif event[0] == ORDER and not order:
                order = event[1:]
        state.log = []
    if not state.is_over():
        raise RecordError(f"step {len(record.actions)}", "the record ends before the game is over")
    return ChanceEvents(order, tuple(draws), tuple(chosen))


def blessed_by_type(board: Board, present: int) -> tuple[int, ...]:
    """Return in how many territories of each blessed type a side is present."""
    return tuple((present & board.type_masks[one]).bit_count() for one in board.blessed)


def worth(table: TableValues, draw: DrawnCard, kind: int) -> float:
    """Return what it would have been worth to draw this kind."""
    value = table.cards[draw.age - 1][kind]
    if kind == OFFERING:
        value += table.next_offering * draw.offerings
    if kind < len(BLESSED_TYPES):
        value += table.blessed * draw.blessed[kind]
    return value


def luck_of_draw(table: TableValues, draw: DrawnCard) -> float:
    """Return by how much the card that came is worth more than the mean of those that could have come."""
    mean = sum(count * worth(table, draw, kind) for kind, count in enumerate(draw.left) if count)
    return worth(table, draw, draw.kind) - mean / sum(draw.left)


def luck_of(chances: ChanceEvents, table: TableValues) -> list[float]:
    """Return the luck of each seat; it adds up to zero over the table."""
    seats = len(chances.order)
    own = [0.0] * seats
    for place, seat in enumerate(chances.order):
        own[seat] += table.order[place]
    for draw in chances.draws:
        own[draw.seat] += luck_of_draw(table, draw)
    total = sum(own)
    return [one - (total - one) / (seats - 1) for one in own]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a record says: the power cards (seat, age, card), and each seat's luck if it is measured."""

    cards: tuple[tuple[int, int, int], ...]
    luck: Sequence[float] | None


def read_game(record: Record, value: ValueFunction | None) -> Reading:
    """Read a record; an EngineError if it cannot be played again."""
    chances = chance_events(record)
    table = value.tables.get(len(record.seats)) if value else None
    return Reading(chances.chosen, luck_of(chances, table) if table else None)


@cache
def value_functions() -> tuple[ValueFunction, ...]:
    """All value functions that were ever published, the newest last."""
    return tuple(
        ValueFunction({seats: TableValues(**numbers) for seats, numbers in tables.items()})
        for tables in PUBLISHED
    )


def value_function(sha256: str) -> ValueFunction | None:
    """Return the value function with this hash; None where this release does not have it."""
    return next((one for one in value_functions() if one.sha256 == sha256), None)
