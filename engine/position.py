"""What changes during a game, and the small moves from which the phases are built.

`pawns`, `present`, `pool`, `placed` and `hands` change in place. Every other sequence is a tuple that is
replaced when it changes, so clones share it: that makes a clone cheaper than a decision.

Seats are 0 .. n-1. A *side* owns pawns: with three or four seats each seat is its own side; with two, the
sides are the factions, which the seats swap after each age (`side_of`).
"""

from typing import Final

from engine import cards
from engine.board import Board
from engine.events import DREW, NO_CARD, REMOVED, RESHUFFLED
from engine.randomness import Stream
from engine.rulesets import Ruleset

CHOOSING: Final = 0
DEVELOPMENT: Final = 1
CONFLICT: Final = 2
SCORING: Final = 3
OVER: Final = 4
PHASE_NAMES: Final = ("choosing", "development", "conflict", "scoring", "over")

# Steps inside a phase: what is asked of the acting seat.
STEP_MAIN: Final = 0
STEP_AFTER: Final = 1  # development: a pawn is placed; Eagle, a move or a pass may follow
STEP_GAMES: Final = 1  # conflict: a battle is declared; this seat may play Sacred Games

LAST_AGE: Final = 5
PAWNS: Final = {2: 60, 3: 30, 4: 30}
"""How many pawns a side has, by the number of seats (English rulebook, Game Components)."""

RawEvent = tuple[int, ...]


class Position:
    """The data of a game. It knows how to be copied, and no rule of any phase."""

    def __init__(
        self, board: Board, rules: Ruleset, seats: int, seed: bytes, source: "Position | None" = None
    ) -> None:
        """A game before anything is dealt, or a copy of `source`, a position of the same game."""
        self.board = board
        self.rules = rules
        self.seats = seats
        self.seed = seed
        self.log: list[RawEvent] | None = None
        if source is None:
            self._set_up()
        else:
            self._copy(source)

    def _set_up(self) -> None:
        seats = self.seats
        self.reshuffles = 0
        self.age = 1
        self.phase = CHOOSING
        self.step = STEP_MAIN
        self.actor = 0
        self.turn = 0
        self.order: tuple[int, ...] = tuple(range(seats))
        self.side_of: tuple[int, ...] = tuple(range(seats))
        self.pawns = [0] * (seats * self.board.size)
        self.present = [0] * seats
        self.pool = [0] * seats
        self.placed = [0] * seats
        self.reserve: tuple[int, ...] = (PAWNS[seats],) * seats
        self.removed: tuple[int, ...] = (0,) * seats
        self.score: tuple[int, ...] = (0,) * seats
        self.arrival: tuple[int, ...] = (0,) * seats
        self.arrivals = seats
        self.power: tuple[int, ...] = (0,) * seats
        self.used: tuple[int, ...] = (0,) * seats
        self.hands = [0] * (seats * cards.KINDS)
        self.deck: tuple[int, ...] = ()
        self.deck_at = 0
        self.discard: tuple[int, ...] = (0,) * cards.KINDS
        self.alone: tuple[int, ...] = (0,) * seats
        self.tied: tuple[int, ...] = (0,) * seats
        self.settled = 0
        self.claims: tuple[int, ...] = (0,) * seats
        self.battle = -1
        self.spared = 0
        self.pending = 0
        self.rafts: tuple[int, ...] = ()
        self.raft_all = 0

    def _copy(self, source: "Position") -> None:
        self.reshuffles = source.reshuffles
        self.age = source.age
        self.phase = source.phase
        self.step = source.step
        self.actor = source.actor
        self.turn = source.turn
        self.order = source.order
        self.side_of = source.side_of
        self.pawns = source.pawns.copy()
        self.present = source.present.copy()
        self.pool = source.pool.copy()
        self.placed = source.placed.copy()
        self.reserve = source.reserve
        self.removed = source.removed
        self.score = source.score
        self.arrival = source.arrival
        self.arrivals = source.arrivals
        self.power = source.power
        self.used = source.used
        self.hands = source.hands.copy()
        self.deck = source.deck
        self.deck_at = source.deck_at
        self.discard = source.discard
        self.alone = source.alone
        self.tied = source.tied
        self.settled = source.settled
        self.claims = source.claims
        self.battle = source.battle
        self.spared = source.spared
        self.pending = source.pending
        self.rafts = source.rafts
        self.raft_all = source.raft_all


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """The tuple with one value changed."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def holds(p: Position, seat: int, kind: int) -> bool:
    """Whether the seat has a prosperity card of this kind in hand."""
    return p.hands[seat * cards.KINDS + kind] > 0


def add_pawn(p: Position, side: int, t: int) -> None:
    """Put one pawn of a side down."""
    at = side * p.board.size + t
    before = p.pawns[at]
    p.pawns[at] = before + 1
    if before == 0:
        p.present[side] = p.present[side] | 1 << t


def lift_pawn(p: Position, side: int, t: int) -> None:
    """Take one pawn of a side up."""
    at = side * p.board.size + t
    left = p.pawns[at] - 1
    p.pawns[at] = left
    if left == 0:
        p.present[side] = p.present[side] ^ 1 << t


def remove_pawns(p: Position, side: int, t: int) -> None:
    """Remove all pawns of a side in a territory from the game."""
    at = side * p.board.size + t
    count = p.pawns[at]
    p.pawns[at] = 0
    p.present[side] = p.present[side] & ~(1 << t)
    p.removed = put(p.removed, side, p.removed[side] + count)
    if p.log is not None:
        p.log.append((REMOVED, side, t, count))


def play_card(p: Position, seat: int, kind: int) -> None:
    """A prosperity card goes from the hand to the face-up discard, before anything is drawn because of it."""
    p.hands[seat * cards.KINDS + kind] -= 1
    p.discard = put(p.discard, kind, p.discard[kind] + 1)


def draw_card(p: Position, seat: int) -> None:
    """Draw a prosperity card for the seat; an empty deck is first made anew from the discard, by ruleset."""
    if p.deck_at == len(p.deck):
        _reshuffle(p)
    if p.deck_at == len(p.deck):
        if p.log is not None:
            p.log.append((NO_CARD, seat))
        return
    kind = p.deck[p.deck_at]
    p.deck_at += 1
    p.hands[seat * cards.KINDS + kind] += 1
    if p.log is not None:
        p.log.append((DREW, seat, kind))


def _reshuffle(p: Position) -> None:
    found: list[int] = []
    for kind in range(cards.KINDS):
        found += [kind] * p.discard[kind]
    if not found or p.rules.empty_deck != "reshuffle":
        return
    p.reshuffles += 1
    p.deck = tuple(Stream(p.seed, f"reshuffle-{p.reshuffles}").shuffled(found))
    p.deck_at = 0
    p.discard = (0,) * cards.KINDS
    if p.log is not None:
        p.log.append((RESHUFFLED, len(found)))


def advance_counter(p: Position, seat: int, points: int) -> None:
    """Move a score counter in one step. It arrives on top of any there; a gain of 0 leaves it where it is."""
    if points == 0:
        return
    p.score = put(p.score, seat, p.score[seat] + points)
    p.arrival = put(p.arrival, seat, p.arrivals)
    p.arrivals += 1


def turn_order(p: Position) -> tuple[int, ...]:
    """Score from high to low; equal scores from the top of the stack down (English rulebook, Development)."""
    # One number per seat, best last: score, then arrival (always below 65536), then the seat itself.
    ranked = sorted([(p.score[seat] << 16 | p.arrival[seat]) << 2 | seat for seat in range(p.seats)])
    ranked.reverse()
    return tuple([key & 3 for key in ranked])
