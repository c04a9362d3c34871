"""House bots whose play does not depend on the machine's speed."""

from collections.abc import Callable
from dataclasses import dataclass

from aztlan.bot import Bot
from aztlan.house import HOUSE
from aztlan.house.champion import Champion
from aztlan.house.ismcts import Ismcts
from aztlan.house.searcher import Searcher
from aztlan.local.players import HousePlayer

WORLDS = 20
"""What the searcher tries per decision here; in its 50 ms on a ladder it may try more."""
LONG = 60.0
"""Seconds for a decision, so that only the number of simulations counts."""
STEADY: dict[str, Callable[[int], Bot]] = {
    "searcher": lambda seed: Searcher(seed, worlds=WORLDS),
    "ismcts": lambda seed: Ismcts(seed, seconds=LONG),
    "champion": lambda seed: Champion(seed, seconds=LONG),
}
NAMES = [*HOUSE]


@dataclass(frozen=True)
class SteadyPlayer(HousePlayer):
    """A house bot with a fixed number of simulations instead of a clock."""

    def bot(self, seed: int) -> Bot:
        """A bot for one game."""
        return STEADY[self.name](seed) if self.name in STEADY else super().bot(seed)
