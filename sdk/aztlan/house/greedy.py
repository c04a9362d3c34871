"""A bot that takes the points it can get now."""

from aztlan.house.one_step import OneStep, cards_in_hand, prospects
from aztlan.rules import State


class Greedy(OneStep):
    """Counts its score, what it would score with its card now, and one point per card in hand."""

    name = "greedy"

    def value(self, after: State, seat: int, age: int) -> float:
        """Return the points that the seat has and would score now."""
        return prospects(after, seat, age) + cards_in_hand(after, seat)
