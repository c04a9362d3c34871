"""A bot that evaluates positions with a network trained by self-play, without search. Needs NumPy."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aztlan.bot import Bot
from aztlan.house.worlds import deal_worlds
from aztlan.rules import Observation

if TYPE_CHECKING:
    from aztlan.house.network import Weights

WORLDS = 8
"""How many sampled worlds each action is tried in."""


class Learned(Bot):
    """Takes the action that the network rates best, averaged over the worlds."""

    name = "learned"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Try each action in each world, all in one batch."""
        from aztlan.house import network  # only now: not every host has NumPy

        worlds = deal_worlds(self, observation, WORLDS)
        after = worlds.take([world for _ in legal for world in range(WORLDS)])
        after.step([action for action in legal for _ in range(WORLDS)])
        values = network.value_for(self.weights(observation.seats), after, observation.seat)
        means = values.reshape(len(legal), WORLDS).mean(axis=1)
        self.note(f"expects {means.max():+.2f}")
        return legal[int(means.argmax())]

    def weights(self, seats: int) -> "Weights":
        """Return the weights for this number of seats. Override it to use weights of your own."""
        from aztlan.house import network

        return network.load(seats)
