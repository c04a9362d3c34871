"""Information-set Monte Carlo tree search with the warlord's evaluation. `tree.py` explains the search.

If the native kernel is installed, it builds the same tree in C, many times faster.
"""

from collections.abc import Sequence

from aztlan.house.tree import CURIOSITY, TreeBot
from aztlan.house.warlord import Warlord
from aztlan.kernel import Search, native_form
from aztlan.rules import CHOOSING, Observation

AT_ONCE = 200
"""Simulations between two looks at the clock: less than a millisecond's worth."""


class Ismcts(TreeBot):
    """Searches everything but the choice of power cards, which it leaves to the warlord."""

    name = "ismcts"

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Take the action that was tried most."""
        if observation.phase == CHOOSING:
            return Warlord.choose(self, observation, legal)
        if not native_form():
            return super().choose(observation, legal)
        network = self.network(observation.seats)
        search = Search(observation, self.match.board, self.match.rules, CURIOSITY, network)
        found: list[tuple[int, int, float]] = []

        def simulate() -> None:
            found[:] = search.simulate(AT_ONCE, self.random.getrandbits(64))

        done = self.until_time_is_up(simulate, AT_ONCE)
        action, visits, mean = max(found, key=lambda one: one[1:])
        self.note(f"{done} simulations, {visits} of them for this, worth {mean:+.2f}")
        return action

    def network(self, seats: int) -> bytes | None:  # noqa: ARG002  for subclasses
        """Return the network that judges; None leaves it to the warlord's formula."""
        return None
