"""Conflict: territories with pawns of two or more sides are settled. English rulebook, Conflict Phase.

Powers are fixed when the phase begins: pawns change only where a conflict is settled, and each is settled
once. So `alone` and `tied` (territories in which a seat alone, or with others, has the most power) are
computed once.
"""

from engine import actions, cards
from engine.board import index_of
from engine.errors import IllegalActionError
from engine.events import (
    BATTLE_DECLARED,
    BATTLE_WON,
    COEXISTED,
    GAMES_PLAYED,
    PHASE_BEGAN,
    TIED,
    TLATOANI_PLAYED,
)
from engine.phases import scoring
from engine.position import (
    CONFLICT,
    STEP_GAMES,
    STEP_MAIN,
    Position,
    draw_card,
    holds,
    play_card,
    put,
    remove_pawns,
)


def begin(p: Position) -> None:
    """Find the conflicts and who is strongest in each; ask the first seat that has something to decide."""
    p.phase = CONFLICT
    p.step = STEP_MAIN
    p.settled = 0
    p.claims = (0,) * p.seats
    find_strongest(p)
    p.turn = -1
    if p.log is not None:
        p.log.append((PHASE_BEGAN, CONFLICT))
    _next_seat(p)


def contested(p: Position) -> int:
    """The territories in which two or more sides are present."""
    seen = 0
    both = 0
    for mask in p.present:
        both |= seen & mask
        seen |= mask
    return both


def power(p: Position, seat: int, t: int) -> int:
    """English rulebook, Conflict Phase 1: the card's number times the pawns there."""
    return p.power[seat] * p.pawns[p.side_of[seat] * p.board.size + t]


def find_strongest(p: Position) -> None:
    """Fill `alone` and `tied`."""
    alone = [0] * p.seats
    tied = [0] * p.seats
    left = contested(p)
    while left:
        bit = left & -left
        left ^= bit
        t = index_of(bit)
        most = 0
        first = -1
        count = 0
        for seat in range(p.seats):
            strength = power(p, seat, t)
            if strength > most:
                most = strength
                first = seat
                count = 1
            elif strength == most:
                count += 1
        if count == 1:
            alone[first] |= bit
        else:
            for seat in range(p.seats):
                if power(p, seat, t) == most:
                    tied[seat] |= bit
    p.alone = tuple(alone)
    p.tied = tuple(tied)


def to_settle(p: Position, seat: int) -> int:
    """The conflicts that the seat must settle: alone the strongest, by power or by Great Tlatoani."""
    return (p.alone[seat] | p.claims[seat]) & ~p.settled


def to_claim(p: Position, seat: int) -> int:
    """The conflicts that the seat may win by Great Tlatoani, if it holds the card."""
    if not holds(p, seat, cards.GREAT_TLATOANI):
        return 0
    return p.tied[seat] & ~p.settled & ~p.claims[seat]


def legal(p: Position) -> tuple[int, ...]:
    """Battle or coexistence where the seat must settle, Great Tlatoani for ties; a pass if it need not."""
    if p.step == STEP_GAMES:
        return (actions.PASS, actions.PLAY_GAMES)
    must = to_settle(p, p.actor)
    may = to_claim(p, p.actor)
    if not may:
        return p.board.settling.of(must)
    return (p.board.settling.of(must) if must else (actions.PASS,)) + p.board.claiming.of(may)


def apply(p: Position, action: int) -> None:
    """Settle a conflict, claim a tie, answer a battle with Sacred Games or not, or be done."""
    if p.step == STEP_GAMES:
        _answer_battle(p, action)
        return
    t = action & actions.TERRITORY_MASK
    kind = action - t
    bit = 1 << t
    seat = p.actor
    if action == actions.PASS:
        if to_settle(p, seat):
            raise IllegalActionError(
                "Conflict, 2: every conflict in which the seat is alone the strongest is settled", action
            )
        _next_seat(p)
    elif kind == actions.TLATOANI:
        _claim(p, action, t)
    elif kind != actions.BATTLE and kind != actions.COEXIST:
        raise IllegalActionError("Conflict, 2: the seat chooses battle or coexistence", action)
    elif not to_settle(p, seat) & bit:
        raise IllegalActionError(
            "Conflict, 1: the seat is not alone the strongest in an open conflict there", action
        )
    elif kind == actions.COEXIST:
        if p.log is not None:
            p.log.append((COEXISTED, seat, t))
        p.settled |= bit
        draw_card(p, seat)
        _go_on(p)
    else:
        if p.log is not None:
            p.log.append((BATTLE_DECLARED, seat, t))
        p.battle = t
        p.spared = 0
        _ask_games(p, 0)


def _claim(p: Position, action: int, t: int) -> None:
    """English rulebook, Great Tlatoani: a seat tied for the most power counts as alone the strongest."""
    seat = p.actor
    if not holds(p, seat, cards.GREAT_TLATOANI):
        raise IllegalActionError("Great Tlatoani: the seat does not hold the card", action)
    if not to_claim(p, seat) >> t & 1:
        raise IllegalActionError(
            "Great Tlatoani: the seat is not tied for the most power in an open conflict there", action
        )
    play_card(p, seat, cards.GREAT_TLATOANI)
    p.claims = put(p.claims, seat, p.claims[seat] | 1 << t)
    if p.log is not None:
        p.log.append((TLATOANI_PLAYED, seat, t))


def _ask_games(p: Position, start: int) -> None:
    """Ask the next seat, in turn order, that is about to lose pawns and holds Sacred Games; else fight."""
    winner = p.order[p.turn]
    for i in range(start, p.seats):
        seat = p.order[i]
        if (
            seat != winner
            and p.present[p.side_of[seat]] >> p.battle & 1
            and holds(p, seat, cards.SACRED_GAMES)
        ):
            p.step = STEP_GAMES
            p.actor = seat
            return
    _fight(p)


def _answer_battle(p: Position, action: int) -> None:
    """English rulebook, Sacred Games."""
    if action == actions.PLAY_GAMES:
        play_card(p, p.actor, cards.SACRED_GAMES)
        p.spared |= 1 << p.actor
        if p.log is not None:
            p.log.append((GAMES_PLAYED, p.actor, p.battle))
    elif action != actions.PASS:
        raise IllegalActionError("Sacred Games: play the card or pass", action)
    _ask_games(p, p.order.index(p.actor) + 1)


def _fight(p: Position) -> None:
    """Remove the others' pawns, save the spared; a battle with Sacred Games gives the winner one card."""
    winner = p.order[p.turn]
    t = p.battle
    for seat in range(p.seats):
        side = p.side_of[seat]
        if seat != winner and p.present[side] >> t & 1 and not p.spared >> seat & 1:
            remove_pawns(p, side, t)
    if p.log is not None:
        p.log.append((BATTLE_WON, winner, t))
    if p.spared:
        draw_card(p, winner)
    p.settled |= 1 << t
    p.battle = -1
    p.spared = 0
    p.step = STEP_MAIN
    p.actor = winner
    _go_on(p)


def _go_on(p: Position) -> None:
    """The same seat goes on if anything is left for it to decide."""
    if not to_settle(p, p.actor) and not to_claim(p, p.actor):
        _next_seat(p)


def _next_seat(p: Position) -> None:
    p.turn += 1
    while p.turn < p.seats:
        seat = p.order[p.turn]
        if to_settle(p, seat) or to_claim(p, seat):
            p.actor = seat
            return
        p.turn += 1
    _end(p)


def _end(p: Position) -> None:
    """English rulebook, Conflict Phase 2: tied strongest coexist with no card, the weaker are removed."""
    left = contested(p) & ~p.settled
    while left:
        bit = left & -left
        left ^= bit
        t = index_of(bit)
        if p.log is not None:
            p.log.append((TIED, t, *[seat for seat in range(p.seats) if p.tied[seat] & bit]))
        for seat in range(p.seats):
            side = p.side_of[seat]
            if p.present[side] & bit and not p.tied[seat] & bit:
                remove_pawns(p, side, t)
        p.settled |= bit
    scoring.begin(p)
