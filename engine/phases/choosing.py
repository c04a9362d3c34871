"""Choosing: all seats choose an unused power card, at once, in secret. English rulebook, Choosing Phase."""

from typing import Final

from engine.cards import HIGHEST_POWER, LOWEST_POWER, POWER_CARDS
from engine.errors import IllegalActionError
from engine.events import CHOSE, TOOK_PAWNS
from engine.phases import development
from engine.position import Position, put

PAWNS_IN_AGE: Final = {2: (10, 9, 8, 7, 6), 3: (8, 7, 6, 5, 4), 4: (7, 6, 5, 4, 3)}

_UNUSED: Final = [
    tuple(LOWEST_POWER + i for i in range(POWER_CARDS) if not used >> i & 1)
    for used in range(1 << POWER_CARDS)
]


def legal(p: Position, seat: int) -> tuple[int, ...]:
    """The power cards that the seat has not used."""
    return _UNUSED[p.used[seat]]


def apply(p: Position, seat: int, action: int) -> None:
    """Lay a power card face down; after the last seat the age's pawns are taken and Development begins."""
    if action < LOWEST_POWER or action > HIGHEST_POWER:
        raise IllegalActionError("Choosing: the action must be a power card, 4 to 9", action)
    if p.power[seat]:
        raise IllegalActionError("Choosing: this seat has chosen already", action)
    if p.used[seat] >> (action - LOWEST_POWER) & 1:
        raise IllegalActionError("Choosing: this power card was used in an earlier age", action)
    p.power = put(p.power, seat, action)
    p.used = put(p.used, seat, p.used[seat] | 1 << (action - LOWEST_POWER))
    if p.log is not None:
        p.log.append((CHOSE, seat, action))
    while p.actor < p.seats and p.power[p.actor]:
        p.actor += 1
    if p.actor == p.seats:
        _take_pawns(p)
        development.begin(p)


def _take_pawns(p: Position) -> None:
    """Fill each pool from the reserve, then from the removed pawns, or with what there is."""
    wanted = PAWNS_IN_AGE[p.seats][p.age - 1]
    reserve, removed = list(p.reserve), list(p.removed)
    for seat in range(p.seats):
        side = p.side_of[seat]
        fresh = min(wanted, reserve[side])
        again = min(wanted - fresh, removed[side])
        reserve[side] -= fresh
        removed[side] -= again
        p.pool[seat] = fresh + again
        if p.log is not None:
            p.log.append((TOOK_PAWNS, seat, side, fresh, again))
    p.reserve, p.removed = tuple(reserve), tuple(removed)
