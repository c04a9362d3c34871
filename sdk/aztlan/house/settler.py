"""A bot that builds domains on uncontested land, to score in every age."""

from aztlan.house.one_step import OneStep, cards_in_hand, points_by_type, prospects
from aztlan.rules import State, contested

LATER = 0.3
"""Weight of points in later ages: others will get in the way."""
CROWDED = 3.0
"""Cost of sharing a territory: it may be lost in a conflict."""
A_CARD = 2.0
"""What a prosperity card in hand is worth."""
UNUSED = 0.3
"""Weight of the end value that a power card loses when it is played."""


class Settler(OneStep):
    """Thinks of later ages, keeps good cards back, and likes to be alone."""

    name = "settler"

    def value(self, after: State, seat: int, age: int) -> float:
        """Return points now and later, less the cost of shared territories."""
        shared = (after.present[after.side_of[seat]] & contested(after)).bit_count()
        hand = A_CARD * cards_in_hand(after, seat)
        return prospects(after, seat, age, LATER) + hand - CROWDED * shared

    def card_value(self, after: State, seat: int) -> float:
        """Return what the card would score now, less what it would be worth unused."""
        card = after.power[seat] - 4
        scores = points_by_type(after, seat)[after.board.card_types[card]]
        return scores - UNUSED * after.board.card_values[card]
