"""A bot that plays any legal action. A bot that loses to it has a bug."""

import random
from collections.abc import Sequence

from aztlan.bot import Bot
from aztlan.rules import Observation


class RandomPlay(Bot):
    """Every legal action is as good as any other."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:  # noqa: ARG002  not needed
        """Return a legal action at random."""
        return self.random.choice(legal)
