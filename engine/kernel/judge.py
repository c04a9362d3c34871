"""What evaluations are made of: a few numbers for each seat, and a quick way to play an age to its end.

This is the readable form; `judge.c` gives the same numbers many times faster, and a test compares the two.
"""

from typing import Final

from engine.actions import BLESSING, NAME_TYPE, PASS, PLACE
from engine.board import WILD, count, index_of
from engine.cards import (
    EAGLE_WARRIORS,
    GREAT_TLATOANI,
    KINDS,
    LOWEST_POWER,
    OFFERING,
    POWER_CARDS,
    RAFTS,
    SACRED_GAMES,
    offering_points,
)
from engine.phases.conflict import contested, power
from engine.phases.scoring import domain_points, domains
from engine.position import CHOOSING, CONFLICT, DEVELOPMENT, OVER, SCORING, STEP_MAIN
from engine.state import State

FEATURES: Final = (
    "score",
    "now",  # what its power card would score now, until the age is scored
    "later",  # what each of its unused cards would score now, added up
    "best later",
    "held",  # territories, after every open conflict has gone to the strongest
    "lost",  # territories that it would lose so
    "hand",
    "offerings",  # what the Offerings in hand are worth at the end
    "blessings",  # what the Blessings in hand would score now
    "war cards",  # Sacred Games, Great Tlatoani, Eagle and Jaguar Warriors
    "pool",
    "end value",  # the best of its unused power cards
    "rafts",
    "largest",  # its largest domain
    "age",
    "phase",
    "acting",  # 1 for the seat whose decision it is
)


def judge(state: State) -> list[list[int]]:
    """FEATURES of each seat."""
    held = after_fights(state)
    return [_judge_seat(state, seat, held) for seat in range(state.seats)]


def after_fights(state: State) -> State:
    """The state with every open conflict left to the strongest there. Only presence changes."""
    after = state.clone()
    left = contested(state) & ~state.settled if state.phase in (DEVELOPMENT, CONFLICT) else 0
    while left:
        bit = left & -left
        left ^= bit
        powers = [power(state, seat, index_of(bit)) for seat in range(state.seats)]
        for seat, strength in enumerate(powers):
            if strength < max(powers):
                after.present[state.side_of[seat]] &= ~bit
    return after


def points_by_type(state: State, seat: int) -> tuple[list[int], int]:
    """What a seat's domains score for each type, and last (at index WILD) the best; the largest domain."""
    rafts, state.rafts = state.rafts, state.rafts if seat == state.actor else ()
    raft_all, state.raft_all = state.raft_all, state.raft_all if seat == state.actor else 0
    found = domains(state, seat)
    state.rafts, state.raft_all = rafts, raft_all
    points = [
        sum(domain_points(count(one), count(one & matching)) for one in found)
        for matching in state.board.type_masks
    ]
    return [*points, max(points)], max(map(count, found), default=0)


def _judge_seat(state: State, seat: int, after: State) -> list[int]:
    board, side = state.board, state.side_of[seat]
    hand, held = state.hands[seat * KINDS : (seat + 1) * KINDS], after.present[side]
    points, largest = points_by_type(after, seat)
    unused = [i for i in range(POWER_CARDS) if not state.used[seat] >> i & 1]
    later = [points[board.card_types[i]] for i in unused]
    now = 0
    if state.power[seat] and not _is_scored(state, seat):
        now = points[board.card_types[state.power[seat] - LOWEST_POWER]] + (
            state.pending if seat == state.actor else 0
        )
    blessings = [2 * hand[kind] * count(held & board.type_masks[board.blessed[kind]]) for kind in range(3)]
    return [
        state.score[seat],
        now,
        sum(later),
        max(later, default=0),
        count(held),
        count(state.present[side] & ~held),
        sum(hand),
        offering_points(hand[OFFERING], state.rules.offerings == "new_set"),
        sum(blessings),
        hand[SACRED_GAMES] + hand[GREAT_TLATOANI] + hand[EAGLE_WARRIORS],
        state.pool[seat],
        max((board.card_values[i] for i in unused), default=0),
        hand[RAFTS],
        largest,
        state.age,
        state.phase,
        int(seat == state.actor),
    ]


def _is_scored(state: State, seat: int) -> bool:
    if state.phase != SCORING:
        return state.phase == OVER
    return state.order.index(seat) < state.turn


def end_age(state: State, seed: int) -> None:
    """Everybody grows at random next to what they have, fights where they can, and plays what scores."""
    age, luck = state.age, (seed * 2654435761 + 1) & 0xFFFFFFFF or 1
    while state.age == age and state.phase != OVER:
        luck ^= luck << 13 & 0xFFFFFFFF
        luck ^= luck >> 17
        luck ^= luck << 5 & 0xFFFFFFFF
        state.apply(_quick_action(state, luck))


def _quick_action(state: State, luck: int) -> int:
    if state.phase == DEVELOPMENT:
        return PLACE + _near(state, luck) if state.step == STEP_MAIN else PASS
    legal = state.legal_actions()
    if state.phase == CHOOSING:
        return legal[luck % len(legal)]
    if state.phase == CONFLICT:  # battles stand before all but a pass
        return legal[1] if legal[0] == PASS else legal[0]
    if legal[-1] >= BLESSING:
        return legal[-1]
    if legal[0] == PASS:
        return PASS
    points, _ = points_by_type(state, state.actor)
    return NAME_TYPE + points.index(points[WILD])


def _near(state: State, luck: int) -> int:
    """A territory where the acting seat is present, or next to one; anywhere if it is nowhere."""
    present = state.present[state.side_of[state.actor]]
    reach = present or (1 << state.board.size) - 1
    for t, near in enumerate(state.board.adjacent):
        if present >> t & 1:
            reach |= near
    among = [t for t in range(state.board.size) if reach >> t & 1]
    return among[luck % len(among)]
