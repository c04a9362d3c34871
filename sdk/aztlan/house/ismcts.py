"""Information-set Monte Carlo tree search with the warlord's evaluation. `tree.py` explains the search.

If the native kernel is installed, it grows the same tree in C, many times faster.
"""

from collections.abc import Sequence
from time import monotonic

from aztlan.house.tree import TreeSearch
from aztlan.house.warlord import Warlord
from aztlan.kernel import Search, native_form
from aztlan.rules import CHOOSING, Observation

AT_ONCE = 96
"""Simulations between two looks at the clock: a few milliseconds' worth."""
CURIOSITY = 0.1
"""How much a rarely tried action is favoured: c of UCB1, for values between -1 and 1."""


class Ismcts(Warlord):
    """Halves the actions again and again: the better half gets as many simulations as all had before.

    It makes a number of `simulations` per decision, so that it plays the same on every machine; fewer if they
    take more than `seconds`, or when its clock runs low. The warlord chooses its power cards.
    """

    name = "ismcts"
    simulations = 600
    open_after = 64
    """Visits after which a node is expanded: before, they say little of which action is best there."""

    def __init__(self, seed: int = 0, seconds: float = 0.25, simulations: int | None = None) -> None:
        super().__init__(seed)
        self.seconds = seconds
        self.simulations = simulations or self.simulations

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Take the action that is left when all others have been dropped."""
        deadline = monotonic() + min(self.seconds, self.time_left / 20, self.time_limit / 4)
        if observation.phase == CHOOSING:
            return super().choose(observation, legal)
        search = self.plant(observation)
        rivals = search.simulate(1, self.random.getrandbits(64))
        rounds = (len(rivals) - 1).bit_length()
        for _ in range(rounds):
            worlds = self.simulations // (rounds * len(rivals))
            while worlds > 0 and monotonic() < deadline:
                now = min(worlds, AT_ONCE // len(rivals))
                among = [action for action, _, _ in rivals]
                rivals = search.simulate(now, self.random.getrandbits(64), among)
                worlds -= now
            rivals.sort(key=lambda rival: -rival[2])
            del rivals[(len(rivals) + 1) // 2 :]
        [(action, visits, mean)] = rivals
        self.note(f"{visits} simulations of this, worth {mean:+.2f}")
        return action

    def plant(self, observation: Observation) -> Search | TreeSearch:
        """Return a tree that is yet to grow."""
        how = CURIOSITY, self.network(observation.seats), self.open_after
        if native_form():
            return Search(observation, self.match.board, self.match.rules, *how)
        return TreeSearch(observation, self.match, *how)

    def network(self, seats: int) -> bytes | None:  # noqa: ARG002  for subclasses
        """Return the network that judges; None leaves it to the warlord's formula."""
        return None
