"""Takes the points that lie on the table now."""

from aztlan.house.one_step import OneStep, cards_in_hand, prospects
from aztlan.rules import State


class Greedy(OneStep):
    """Counts its score, what it would score with its card now, and a point a card in hand."""

    name = "greedy"

    def value(self, after: State, seat: int, age: int) -> float:
        """Points now."""
        return prospects(after, seat, age) + cards_in_hand(after, seat)
