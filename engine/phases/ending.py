"""The end of an age and of the game. English rulebook, Second to Fifth Age; End of the Game; Aztec Gods."""

from engine import cards
from engine.events import AGE_BEGAN, ENDED, ORDER, SWAPPED, WON
from engine.position import CHOOSING, OVER, STEP_MAIN, Position, advance_counter, turn_order


def next_age(p: Position) -> None:
    """Two seats swap their factions; then everybody chooses again."""
    if p.seats == 2:
        p.side_of = (p.side_of[1], p.side_of[0])
        if p.log is not None:
            p.log.append((SWAPPED, *p.side_of))
    p.age += 1
    begin_age(p)


def begin_age(p: Position) -> None:
    """Nobody has chosen a power card yet. No score changes before Development, so its order is known now."""
    p.phase = CHOOSING
    p.step = STEP_MAIN
    p.power = (0,) * p.seats
    p.settled = 0
    p.claims = (0,) * p.seats
    p.alone = p.claims
    p.tied = p.claims
    for seat in range(p.seats):
        p.placed[seat] = 0
    p.order = turn_order(p)
    p.turn = 0
    p.actor = 0
    if p.log is not None:
        p.log.append((AGE_BEGAN, p.age))
        p.log.append((ORDER, *p.order))


def finish(p: Position) -> None:
    """In turn order, each seat in one step: the unused power card, one point per card in hand, Offerings."""
    for seat in p.order:
        unused = 0
        while p.used[seat] >> unused & 1 and unused < cards.POWER_CARDS - 1:
            unused += 1
        value = p.board.card_values[unused]
        hand = p.hands[seat * cards.KINDS : (seat + 1) * cards.KINDS]
        in_hand = sum(hand)
        offerings = cards.offering_points(hand[cards.OFFERING], p.rules.offerings == "new_set")
        advance_counter(p, seat, value + in_hand + offerings)
        if p.log is not None:
            p.log.append(
                (
                    ENDED,
                    seat,
                    cards.LOWEST_POWER + unused,
                    value,
                    in_hand,
                    offerings,
                    p.score[seat],
                    p.arrival[seat],
                )
            )
    p.phase = OVER
    p.actor = -1
    if p.log is not None:
        p.log.append((WON, *placements(p)))


def placements(p: Position) -> list[int]:
    """By seat, 1 for the best: highest score; of equals the counter furthest down, or on top by ruleset."""
    sign = -1 if p.rules.tie == "top" else 1
    ranked = sorted(range(p.seats), key=lambda seat: (-p.score[seat], sign * p.arrival[seat]))
    places = [0] * p.seats
    for i, seat in enumerate(ranked):
        places[seat] = i + 1
    return places
