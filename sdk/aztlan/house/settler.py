"""Builds domains that will score in every age, on land of its own."""

from aztlan.house.one_step import OneStep, cards_in_hand, points_by_type, prospects
from aztlan.rules import State, contested

LATER = 0.3
"""Points in ages to come count for so much: others will be in the way."""
CROWDED = 3.0
"""What sharing a territory costs: land that is fought over may be lost, or must be fought for."""
A_CARD = 2.0
"""What a prosperity card in hand is worth."""
UNUSED = 0.3
"""So much of a power card's end value is given up when it is played."""


class Settler(OneStep):
    """Thinks of later ages, keeps good cards back, and likes to be alone."""

    name = "settler"

    def value(self, after: State, seat: int, age: int) -> float:
        """Points now and later, less the trouble with neighbours."""
        shared = (after.present[after.side_of[seat]] & contested(after)).bit_count()
        hand = A_CARD * cards_in_hand(after, seat)
        return prospects(after, seat, age, LATER) + hand - CROWDED * shared

    def card_value(self, after: State, seat: int) -> float:
        """What the card would score now, less what it would be worth unused."""
        card = after.power[seat] - 4
        scores = points_by_type(after, seat)[after.board.card_types[card]]
        return scores - UNUSED * after.board.card_values[card]
