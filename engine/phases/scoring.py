"""Scoring: in turn order each seat scores its domains. English rulebook, Scoring Phase."""

from typing import Final

from engine import actions, cards
from engine.board import WILD, count, index_of
from engine.errors import IllegalActionError
from engine.events import BLESSED, DOMAIN, NAMED_TYPE, PHASE_BEGAN, RAFTED, RAFTED_ALL, SCORED
from engine.phases import ending
from engine.position import LAST_AGE, SCORING, STEP_MAIN, Position, advance_counter, holds, play_card

_BLESSINGS: Final = [
    tuple(actions.BLESSING + kind for kind in range(3) if held >> kind & 1) for held in range(8)
]


def begin(p: Position) -> None:
    """The first seat with something to decide is asked; those before it score at once."""
    p.phase = SCORING
    p.step = STEP_MAIN
    p.turn = -1
    if p.log is not None:
        p.log.append((PHASE_BEGAN, SCORING))
    _next_seat(p)


def domains(p: Position, seat: int) -> list[int]:
    """The seat's domains as bit masks: maximal connected sets of territories in which its side is present.

    Rafts and Canoes in force count as borders.
    """
    present = p.present[p.side_of[seat]]
    adjacent = p.board.adjacent
    if p.rafts or p.raft_all:
        adjacent = [reach | _over_water(p, t) for t, reach in enumerate(adjacent)]
    found = []
    left = present
    while left:
        domain = 0
        edge = left & -left
        while edge:
            bit = edge & -edge
            domain |= bit
            edge = (edge | adjacent[index_of(bit)]) & present & ~domain
        found.append(domain)
        left &= ~domain
    return found


def _over_water(p: Position, t: int) -> int:
    """The territories that rafts have brought next to this one."""
    reach = 0
    for link in p.rafts:
        a = link >> actions.TERRITORY_BITS
        b = link & actions.TERRITORY_MASK
        if a == t:
            reach |= 1 << b
        elif b == t:
            reach |= 1 << a
    if p.raft_all:
        for shores in p.board.lake_masks:
            if shores >> t & 1:
                reach |= shores
    return reach


def domain_points(size: int, matches: int) -> int:
    """English rulebook, Domain Scoring Table: territories plus matches squared; nothing without a match."""
    return size + matches * matches if matches else 0


def raft_actions(p: Position, seat: int) -> tuple[int, ...]:
    """The pairs (or, by ruleset, the one act) by which a Rafts and Canoes card would join two domains."""
    if not holds(p, seat, cards.RAFTS):
        return ()
    found = domains(p, seat)
    if len(found) < 2:
        return ()
    if p.rules.rafts == "all_lakes":
        return (actions.RAFT_ALL,) if _lake_joins(p, found) else ()
    present = p.present[p.side_of[seat]]
    joining = []
    for i, both in enumerate(p.board.shore_masks):
        if present & both == both and not _joined(found, both):
            a, b = p.board.shore_pairs[i]
            joining.append(actions.RAFT + actions.TERRITORY_STEP * a + b)
    return tuple(joining)


def _joined(found: list[int], both: int) -> bool:
    """Whether these territories are in one domain already."""
    for domain in found:  # noqa: SIM110  a generator here costs more than all the rest of a raft
        if domain & both == both:
            return True
    return False


def _lake_joins(p: Position, found: list[int]) -> bool:
    """Whether some lake's shores touch two of these domains."""
    return any(sum([1 for domain in found if domain & shores]) > 1 for shores in p.board.lake_masks)


def blessings(p: Position, seat: int) -> tuple[int, ...]:
    """The Blessings in hand as actions, one per kind."""
    return _BLESSINGS[
        holds(p, seat, cards.BLESSING_JUNGLE)
        + 2 * holds(p, seat, cards.BLESSING_MOUNTAINS)
        + 4 * holds(p, seat, cards.BLESSING_FIELDS)
    ]


def card_type(p: Position, seat: int) -> int:
    """The territory type of the power card that the seat plays in this age, or WILD."""
    return p.board.card_types[p.power[seat] - cards.LOWEST_POWER]


def is_wild(p: Position, seat: int) -> bool:
    """Whether the seat plays the wild card in this age."""
    return card_type(p, seat) == WILD


def legal(p: Position) -> tuple[int, ...]:
    """Cards to play; last, a pass that scores, or with the wild card the type to name."""
    last = p.board.namings if is_wild(p, p.actor) else (actions.PASS,)
    return last + blessings(p, p.actor) + raft_actions(p, p.actor)


def apply(p: Position, action: int) -> None:
    """Play a Blessing or Rafts and Canoes, or score."""
    seat = p.actor
    if actions.BLESSING <= action < actions.RAFT_ALL:
        _bless(p, seat, action)
        _go_on(p)
    elif action == actions.RAFT_ALL or action >= actions.RAFT:
        _raft(p, seat, action)
        _go_on(p)
    elif action == actions.PASS:
        if is_wild(p, seat):
            raise IllegalActionError("Scoring: with the wild card the seat names a territory type", action)
        score(p, seat, card_type(p, seat))
        _next_seat(p)
    elif actions.NAME_TYPE <= action < actions.NAME_TYPE + len(p.board.types):
        if not is_wild(p, seat):
            raise IllegalActionError("Scoring: only the wild card lets a seat name a territory type", action)
        if p.log is not None:
            p.log.append((NAMED_TYPE, seat, action - actions.NAME_TYPE))
        score(p, seat, action - actions.NAME_TYPE)
        _next_seat(p)
    else:
        raise IllegalActionError("Scoring: play a Blessing or Rafts and Canoes, or score", action)


def _bless(p: Position, seat: int, action: int) -> None:
    """English rulebook, Blessing of the Gods: 2 points for each territory of the type, in whatever domain."""
    kind = action - actions.BLESSING
    if not holds(p, seat, kind):
        raise IllegalActionError("Blessing of the Gods: the seat does not hold this card", action)
    play_card(p, seat, kind)
    blessed = count(p.present[p.side_of[seat]] & p.board.type_masks[p.board.blessed[kind]])
    p.pending += 2 * blessed
    if p.log is not None:
        p.log.append((BLESSED, seat, kind, blessed, 2 * blessed))


def _raft(p: Position, seat: int, action: int) -> None:
    """English rulebook, Rafts and Canoes: two territories on the shore of one lake count as adjacent."""
    if not holds(p, seat, cards.RAFTS):
        raise IllegalActionError("Rafts and Canoes: the seat does not hold the card", action)
    if action not in raft_actions(p, seat):
        raise IllegalActionError(
            "Rafts and Canoes: it joins own territories of two domains on the shore of one lake", action
        )
    play_card(p, seat, cards.RAFTS)
    if action == actions.RAFT_ALL:
        p.raft_all = 1
    else:
        p.rafts = (*p.rafts, action - actions.RAFT)
    if p.log is not None:
        if action == actions.RAFT_ALL:
            p.log.append((RAFTED_ALL, seat))
        else:
            p.log.append(
                (
                    RAFTED,
                    seat,
                    (action - actions.RAFT) >> actions.TERRITORY_BITS,
                    action & actions.TERRITORY_MASK,
                )
            )


def score(p: Position, seat: int, kind: int) -> None:
    """Add up the domains and the Blessings and move the counter, in one step."""
    matching = p.board.type_masks[kind]
    points = p.pending
    for domain in domains(p, seat):
        size = count(domain)
        matches = count(domain & matching)
        worth = domain_points(size, matches)
        points += worth
        if p.log is not None:
            territories = [t for t in range(p.board.size) if domain >> t & 1]
            p.log.append((DOMAIN, seat, size, matches, worth, *territories))
    advance_counter(p, seat, _onto_a_free_space(p, seat, points))
    if p.log is not None:
        p.log.append((SCORED, seat, points, p.score[seat], p.arrival[seat]))


def _onto_a_free_space(p: Position, seat: int, points: int) -> int:
    """How far the counter goes: as far as its points, or by ruleset on to the next free space.

    French rulebook, Scoring Phase. It says so of an age's Scoring; in the end tally counters stack, or that
    book's rule for tied victories would mean nothing.
    """
    if points == 0 or p.rules.landing != "next_free":
        return points
    start = p.score[seat]
    taken = [p.score[other] for other in range(p.seats) if other != seat]
    while start + points in taken:
        points += 1
    return points


def _has_choice(p: Position, seat: int) -> bool:
    """Whether the seat has anything to decide before it scores."""
    return is_wild(p, seat) or len(blessings(p, seat)) > 0 or len(raft_actions(p, seat)) > 0


def _go_on(p: Position) -> None:
    """The same seat goes on if anything is left for it to decide; otherwise it scores."""
    if not _has_choice(p, p.actor):
        score(p, p.actor, card_type(p, p.actor))
        _next_seat(p)


def _next_seat(p: Position) -> None:
    p.turn += 1
    while p.turn < p.seats:
        seat = p.order[p.turn]
        p.actor = seat
        p.pending = 0
        p.rafts = ()
        p.raft_all = 0
        if _has_choice(p, seat):
            return
        score(p, seat, card_type(p, seat))
        p.turn += 1
    p.pending = 0
    p.rafts = ()
    p.raft_all = 0
    if p.age == LAST_AGE:
        ending.finish(p)
    else:
        ending.next_age(p)
