"""A bot that builds domains which score in every age, away from the other seats."""

from aztlan.house.one_step import OneStep, cards_in_hand, points_by_type, prospects
from aztlan.rules import LOWEST_POWER, State, contested

LATER = 0.3
"""The weight of points in later ages, which other seats may prevent."""
CROWDED = 3.0
"""The cost of sharing a territory: it may be lost, or must be defended."""
A_CARD = 2.0
"""The value of a prosperity card in hand."""
UNUSED = 0.3
"""The share of a power card's end value that counts as lost when the card is played."""


class Settler(OneStep):
    """Plan for later ages, save good cards, and avoid shared territories."""

    name = "settler"

    def value(self, after: State, seat: int, age: int) -> float:
        """Return the points now and later and the value of the hand, less the cost of shared territories."""
        shared = (after.present[after.side_of[seat]] & contested(after)).bit_count()
        hand = A_CARD * cards_in_hand(after, seat)
        return prospects(after, seat, age, LATER) + hand - CROWDED * shared

    def card_value(self, after: State, seat: int) -> float:
        """Return what the card would score now, less part of its value if left unused."""
        card = after.power[seat] - LOWEST_POWER
        scores = points_by_type(after, seat)[after.board.card_types[card]]
        return scores - UNUSED * after.board.card_values[card]
