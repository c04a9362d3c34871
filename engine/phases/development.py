"""Development: a pawn per turn, in turn order, until all pools are empty. English rulebook, Development."""

from engine import actions, cards
from engine.errors import IllegalActionError
from engine.events import EAGLE_PLACED, MOVED, PHASE_BEGAN, PLACED, REVEALED
from engine.phases import conflict
from engine.position import (
    DEVELOPMENT,
    STEP_AFTER,
    STEP_MAIN,
    Position,
    add_pawn,
    holds,
    lift_pawn,
    play_card,
    put,
)


def begin(p: Position) -> None:
    """The first seat in turn order that has pawns to place is asked; with none at all the phase is over."""
    p.phase = DEVELOPMENT
    p.turn = -1
    if p.log is not None:
        p.log.append((PHASE_BEGAN, DEVELOPMENT))
    _next_turn(p)


def legal(p: Position) -> tuple[int, ...]:
    """Where to place; or then a pass, the moves, and the territories of an Eagle card in hand."""
    if p.step == STEP_MAIN:
        return p.board.places
    moves = p.board.after_placing.of(p.present[p.side_of[p.actor]])
    if _eagle_problem(p) is not None:
        return moves
    return moves + p.board.eagles.of(eagle_territories(p))


def eagle_territories(p: Position) -> int:
    """Where the Eagle's pawn may go: anywhere, or by ruleset where the seat has placed a pawn in this age."""
    return p.placed[p.actor] if p.rules.eagle == "placed" else (1 << p.board.size) - 1


def apply(p: Position, action: int) -> None:
    """Place a pawn, play Eagle and Jaguar Warriors, move a pawn, or end the turn."""
    if p.step == STEP_MAIN:
        _place(p, action)
    elif action >= actions.MOVE:
        _move(p, action)
    elif action == actions.PASS:
        _next_turn(p)
    else:
        _play_eagle(p, action)


def _place(p: Position, action: int) -> None:
    t = action - actions.PLACE
    if t < 0 or t >= p.board.size:
        raise IllegalActionError("Development, 1: the turn begins by placing a pawn in a territory", action)
    seat = p.actor
    side = p.side_of[seat]
    p.pool[seat] = p.pool[seat] - 1
    add_pawn(p, side, t)
    p.placed[seat] = p.placed[seat] | 1 << t
    p.step = STEP_AFTER
    if p.log is not None:
        p.log.append((PLACED, seat, side, t))


def _move(p: Position, action: int) -> None:
    a = (action - actions.MOVE) >> actions.TERRITORY_BITS
    b = action & actions.TERRITORY_MASK
    if action >= actions.RAFT or a >= p.board.size:
        raise IllegalActionError("Development, 2: after placing, move a pawn, play Eagle, or pass", action)
    side = p.side_of[p.actor]
    if not p.present[side] >> a & 1:
        raise IllegalActionError("Development, 2: only an own pawn can be moved, and none is there", action)
    if not p.board.adjacent[a] >> b & 1:
        raise IllegalActionError("Development, 2: a pawn moves to an adjacent territory", action)
    lift_pawn(p, side, a)
    add_pawn(p, side, b)
    if p.log is not None:
        p.log.append((MOVED, p.actor, side, a, b))
    _next_turn(p)


def _eagle_problem(p: Position) -> str | None:
    """Why the acting seat cannot play Eagle and Jaguar Warriors now, or None."""
    if not holds(p, p.actor, cards.EAGLE_WARRIORS):
        return "Eagle and Jaguar Warriors: the seat does not hold the card"
    side = p.side_of[p.actor]
    if p.reserve[side] + p.removed[side] == 0:
        return "Eagle and Jaguar Warriors: no pawn is left in the reserve or among the removed"
    return None


def _play_eagle(p: Position, action: int) -> None:
    """English rulebook, Eagle and Jaguar Warriors: one more pawn. No book limits the cards per turn."""
    t = action - actions.EAGLE
    if t < 0 or t >= p.board.size:
        raise IllegalActionError("Development, 2: after placing, move a pawn, play Eagle, or pass", action)
    problem = _eagle_problem(p)
    if problem is None and not eagle_territories(p) >> t & 1:
        problem = "Eagle and Jaguar Warriors (Italian): only where the seat has placed a pawn in this age"
    if problem is not None:
        raise IllegalActionError(problem, action)
    seat = p.actor
    side = p.side_of[seat]
    again = 0 if p.reserve[side] else 1
    if again:
        p.removed = put(p.removed, side, p.removed[side] - 1)
    else:
        p.reserve = put(p.reserve, side, p.reserve[side] - 1)
    play_card(p, seat, cards.EAGLE_WARRIORS)
    add_pawn(p, side, t)
    p.placed[seat] = p.placed[seat] | 1 << t
    if p.log is not None:
        p.log.append((EAGLE_PLACED, seat, side, t, again))


def _next_turn(p: Position) -> None:
    p.step = STEP_MAIN
    for _ in range(p.seats):
        p.turn += 1
        if p.turn == p.seats:
            p.turn = 0
        seat = p.order[p.turn]
        if p.pool[seat]:
            p.actor = seat
            return
    if p.log is not None:
        for seat in range(p.seats):
            p.log.append((REVEALED, seat, p.power[seat]))
    conflict.begin(p)
