"""A bot that evaluates positions with a network trained by self-play, without search. Needs NumPy."""

import random
from array import array
from collections.abc import Sequence

from aztlan.bot import Bot
from aztlan.house.worlds import deal_worlds
from aztlan.rules import Observation

WORLDS = 2
"""How many sampled worlds each action is tried in. More is slower and stronger."""


class Learned(Bot):
    """Takes the action that the network rates best, averaged over the worlds."""

    name = "learned"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Try each action in each world, all in one batch."""
        worlds = deal_worlds(self, observation, WORLDS)
        after = worlds.take([world for _ in legal for world in range(WORLDS)])
        after.step([action for action in legal for _ in range(WORLDS)])
        values = array("f", bytes(4 * after.size * after.seats))
        after.foretell_into(values, self.network(observation.seats))
        mine = values[observation.seat :: observation.seats]
        means = [sum(mine[i : i + WORLDS]) / WORLDS for i in range(0, len(mine), WORLDS)]
        best = max(range(len(legal)), key=lambda i: means[i])
        self.note(f"expects {means[best]:+.2f}")
        return legal[best]

    def network(self, seats: int) -> bytes:
        """Return the network for this number of seats. Override it to use one of your own."""
        from aztlan.house import network  # only now: not every host has NumPy

        return network.load(seats)
