"""A bot that takes land where it is stronger, and counts what others lose as its own gain."""

from aztlan.house.one_step import cards_in_hand, prospects
from aztlan.house.settler import A_CARD, Settler
from aztlan.rules import State, contested, index_of, power

LATER = 0.5
"""Weight of points in later ages: more than the settler's, because the warlord defends its land."""


class Warlord(Settler):
    """Evaluates the board as if every open conflict had been fought out, for all seats."""

    name = "warlord"

    def value(self, after: State, seat: int, age: int) -> float:
        """Return the seat's own prospects less the average of the others'."""
        if after.age == age:
            fight_out(after)
        all_seats = [prospects(after, each, age, LATER) for each in range(after.seats)]
        own = all_seats[seat]
        return own - (sum(all_seats) - own) / (after.seats - 1) + A_CARD * cards_in_hand(after, seat)


def fight_out(state: State) -> None:
    """Let the strongest seat win each open conflict, as if all were battles. Only presence changes."""
    left = contested(state) & ~state.settled
    while left:
        bit = left & -left
        left ^= bit
        powers = [power(state, seat, index_of(bit)) for seat in range(state.seats)]
        most = max(powers)
        for seat, strength in enumerate(powers):
            if strength < most:
                state.present[state.side_of[seat]] &= ~bit
