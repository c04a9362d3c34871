"""What one seat may know, and full states sampled from it.

`observe(state, seat)` holds exactly what that seat may know; `determinize` fills in the rest at random, so
that authors can search. All values are ints or flat lists of ints, ready to be sent.
"""

from dataclasses import dataclass, fields
from typing import Protocol

from engine import cards
from engine.board import Board
from engine.errors import ObservationError
from engine.phases import conflict
from engine.position import (
    CHOOSING,
    CONFLICT,
    DEVELOPMENT,
    OVER,
    SCORING,
    STEP_GAMES,
    Position,
)
from engine.rulesets import Ruleset
from engine.state import State

HIDDEN = -1
_MOST_DEALS = 10_000


@dataclass(slots=True)
class Observation:
    """One seat's knowledge. `-1` stands for what it may not know; seat -1 is a spectator.

    Lists are by seat except: `pawns` (side * territories + territory), `reserve` and `removed` (by side),
    `order` (seats in turn order), `hand` and `discard` (by kind of prosperity card), `rafts` (64 a + b each).
    Masks have bit t for territory t; `used` has bit i for power card 4 + i, `spared` bit s for seat s.
    """

    seat: int
    """The seat that observes, from 0; -1 for a spectator."""
    seats: int
    """How many seats play, 2 to 4."""
    age: int
    """The age, 1 to 5."""
    phase: int
    """The phase: 0 choosing, 1 development, 2 conflict, 3 scoring, 4 over."""
    step: int
    """Which decision of the phase is open. 0: its first. 1 in development: a pawn was placed, and the seat
    may play an Eagle, move or pass. 1 in conflict: a battle was declared against this seat, which may play
    Sacred Games."""
    to_act: int
    """The seat that acts next; -1 if this seat may not know."""
    order: list[int]
    """The seats in this age's turn order."""
    side_of: list[int]
    """The side of each seat: its tribe with 3 or 4 seats, the faction it leads in this age with 2."""
    pawns: list[int]
    """Pawns on the board: those of side s in territory t are at index s * territories + t."""
    reserve: list[int]
    """Pawns in the reserve, by side."""
    removed: list[int]
    """Pawns removed from the game, by side."""
    pool: list[int]
    """Pawns still to be placed in this age, by seat."""
    scores: list[int]
    """Points, by seat."""
    arrivals: list[int]
    """When each seat's counter last moved, as a running number: of counters with equal scores the later one
    lies on top."""
    used: list[int]
    """Power cards that each seat has shown or spent, as bit masks: bit 0 is card 4, bit 5 is card 9."""
    power: list[int]
    """The power card, 4 to 9, that each seat has revealed in this age, or 0."""
    chosen: list[int]
    """By seat, 1 if it has chosen its power card in this age, else 0."""
    own_power: int
    """The power card, 4 to 9, that this seat has chosen in this age, or 0."""
    hand: list[int]
    """How many prosperity cards this seat holds of each of the 8 kinds: Blessings of the jungle, the
    mountains and the fields, Offering, Sacred Games, Rafts and Canoes, Great Tlatoani, Eagle and Jaguar
    Warriors."""
    hand_sizes: list[int]
    """How many prosperity cards each seat holds."""
    deck_size: int
    """Cards left in the prosperity deck."""
    discard: list[int]
    """How many prosperity cards of each of the 8 kinds are in the discard pile."""
    settled: int
    """A bit mask of the territories whose conflict is settled in this age."""
    claims: list[int]
    """By seat, a bit mask of the territories that it claims by Great Tlatoani."""
    battle: int
    """The territory in which a battle is declared and open, or -1."""
    battle_by: int
    """The seat that declared the battle, or -1."""
    spared: int
    """A bit mask of the seats that played Sacred Games in the battle."""
    placed: list[int]
    """By seat, a bit mask of the territories in which it placed pawns in this age."""
    pending: int
    """Points collected so far by the seat that is scoring."""
    rafts: list[int]
    """The rafts in force for the seat that is scoring: a * 64 + b for each pair of territories."""
    raft_all: int
    """1 if rafts join all shores of each lake for the seat that is scoring, else 0."""


FIELDS = tuple(field.name for field in fields(Observation))


class Random(Protocol):
    """What `determinize` needs of a random number generator; `random.Random` has it."""

    def shuffle(self, x: list[int], /) -> None: ...

    def choice(self, seq: list[int], /) -> int: ...

    def randbytes(self, n: int, /) -> bytes: ...


def observe(p: Position, seat: int) -> Observation:
    """The knowledge of a seat, or of a spectator (-1)."""
    if not -1 <= seat < p.seats:
        raise ObservationError(f"there is no seat {seat} to observe from")
    shown = p.phase > DEVELOPMENT
    hand = p.hands[seat * cards.KINDS : (seat + 1) * cards.KINDS] if seat >= 0 else [0] * cards.KINDS
    in_battle = p.phase == CONFLICT and p.battle >= 0
    return Observation(
        seat=seat,
        seats=p.seats,
        age=p.age,
        phase=p.phase,
        # That some seat is being asked about Sacred Games is for that seat alone.
        step=p.step if seat == p.actor or p.phase != CONFLICT else 0,
        to_act=visible_actor(p, seat),
        order=list(p.order),
        side_of=list(p.side_of),
        pawns=list(p.pawns),
        reserve=list(p.reserve),
        removed=list(p.removed),
        pool=list(p.pool),
        scores=list(p.score),
        arrivals=list(p.arrival),
        used=[p.used[i] if shown or i == seat else _used_before(p, i) for i in range(p.seats)],
        power=list(p.power) if shown else [0] * p.seats,
        chosen=[int(card > 0) for card in p.power],
        own_power=p.power[seat] if seat >= 0 else 0,
        hand=hand,
        hand_sizes=[sum(p.hands[i * cards.KINDS : (i + 1) * cards.KINDS]) for i in range(p.seats)],
        deck_size=len(p.deck) - p.deck_at,
        discard=list(p.discard),
        settled=p.settled,
        claims=list(p.claims),
        battle=p.battle,
        battle_by=p.order[p.turn] if in_battle else -1,
        spared=p.spared,
        placed=list(p.placed),
        pending=p.pending,
        rafts=list(p.rafts),
        raft_all=p.raft_all,
    )


def _used_before(p: Position, seat: int) -> int:
    """The power cards that everybody has seen: all used ones but the one that lies face down."""
    return p.used[seat] & ~(1 << (p.power[seat] - cards.LOWEST_POWER)) if p.power[seat] else p.used[seat]


def visible_actor(p: Position, seat: int) -> int:
    """Return whose decision it is, as far as this seat (or a spectator, -1) may know it."""
    return p.actor if seat == p.actor or _actor_is_public(p) else HIDDEN


def _actor_is_public(p: Position) -> bool:
    """Whether everybody can tell whose decision it is.

    A seat that is asked about Sacred Games, or that has nothing left to settle and only a Great Tlatoani to
    think about, would give its card away.
    """
    if p.phase != CONFLICT:
        return True
    return p.step != STEP_GAMES and conflict.to_settle(p, p.actor) != 0


def determinize(seen: Observation, rng: Random, board: Board, rules: Ruleset) -> State:
    """A full state that this observation allows: others' hands and face-down cards and the deck at random."""
    if seen.to_act == HIDDEN and seen.phase != OVER:
        raise ObservationError(
            "whose decision it is is hidden here; sample from an observation of the acting seat"
        )
    state = State(board, rules, seen.seats, rng.randbytes(32))
    _copy_public(state, seen)
    _choose_unseen(state, seen, rng)
    if seen.phase == CONFLICT:
        conflict.find_strongest(state)
    for _ in range(_MOST_DEALS):
        _deal_unseen(state, seen, rng)
        # That a seat is asked before it scores says that it holds a card to play, so some deals cannot be.
        if seen.phase != SCORING or len(state.legal_actions()) > 1:
            return state
    raise ObservationError("no deal of the unseen cards gives the acting seat anything to decide")


def _copy_public(state: State, seen: Observation) -> None:
    state.age, state.phase, state.step, state.actor = seen.age, seen.phase, seen.step, seen.to_act
    state.order, state.side_of = tuple(seen.order), tuple(seen.side_of)
    state.pawns = list(seen.pawns)
    size = state.board.size
    if len(seen.pawns) != seen.seats * size:
        raise ObservationError(f"pawns: {len(seen.pawns)} counts do not fit a board of {size} territories")
    for side in range(seen.seats):
        state.present[side] = sum(1 << t for t in range(size) if seen.pawns[side * size + t])
    state.reserve, state.removed = tuple(seen.reserve), tuple(seen.removed)
    state.pool, state.placed = list(seen.pool), list(seen.placed)
    state.score, state.arrival = tuple(seen.scores), tuple(seen.arrivals)
    state.arrivals = max(seen.arrivals) + 1
    state.settled, state.claims = seen.settled, tuple(seen.claims)
    state.battle, state.spared = seen.battle, seen.spared
    state.pending, state.rafts, state.raft_all = seen.pending, tuple(seen.rafts), seen.raft_all
    state.discard = tuple(seen.discard)
    active = seen.battle_by if seen.battle >= 0 else seen.to_act
    state.turn = seen.order.index(active) if seen.phase not in (CHOOSING, OVER) else 0


def _deal_unseen(state: State, seen: Observation, rng: Random) -> None:
    unseen: list[int] = []
    for kind in range(cards.KINDS):
        unseen += [kind] * (cards.IN_DECK[kind] - seen.hand[kind] - seen.discard[kind])
    others = sum(seen.hand_sizes) - sum(seen.hand)
    if len(unseen) != others + seen.deck_size:
        raise ObservationError("the counts of prosperity cards do not add up to the deck's thirty")
    rng.shuffle(unseen)
    state.hands = [0] * (seen.seats * cards.KINDS)
    for seat in range(seen.seats):
        if seat == seen.seat:
            state.hands[seat * cards.KINDS : (seat + 1) * cards.KINDS] = seen.hand
            continue
        for _ in range(seen.hand_sizes[seat]):
            state.hands[seat * cards.KINDS + unseen.pop()] += 1
    state.deck, state.deck_at = tuple(unseen), 0


def _choose_unseen(state: State, seen: Observation, rng: Random) -> None:
    """Face-down power cards: the seat's own is known, the others' are any they have not used."""
    if seen.phase > DEVELOPMENT:
        state.power, state.used = tuple(seen.power), tuple(seen.used)
        return
    power, used = [0] * seen.seats, list(seen.used)
    for seat in range(seen.seats):
        if seat == seen.seat:
            power[seat] = seen.own_power
        elif seen.chosen[seat]:
            power[seat] = rng.choice(
                [cards.LOWEST_POWER + i for i in range(cards.POWER_CARDS) if not used[seat] >> i & 1]
            )
            used[seat] |= 1 << (power[seat] - cards.LOWEST_POWER)
    state.power, state.used = tuple(power), tuple(used)
