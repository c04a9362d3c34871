"""House bots, in rising strength: sparring partners, yardsticks, and examples to learn from."""

from collections.abc import Callable

from aztlan.bot import Bot
from aztlan.house.greedy import Greedy
from aztlan.house.random_play import RandomPlay
from aztlan.house.searcher import Searcher
from aztlan.house.settler import Settler
from aztlan.house.warlord import Warlord

HOUSE: dict[str, Callable[[int], Bot]] = {
    "random": RandomPlay,
    "greedy": Greedy,
    "settler": Settler,
    "warlord": Warlord,
    "searcher": Searcher,
}
"""Factories by name, each from a seed. The same seed plays the same game, except for the searcher's clock.

`ismcts`, `learned` and `champion` are there to read and try; they join once they are proven stronger.
"""
