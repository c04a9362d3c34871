"""House bots, in rising strength: sparring partners, yardsticks, and examples to learn from."""

from collections.abc import Callable

from aztlan.bot import Bot
from aztlan.house.greedy import Greedy
from aztlan.house.random_play import RandomPlay
from aztlan.house.searcher import Searcher
from aztlan.house.settler import Settler
from aztlan.house.warlord import Warlord


def _learned(seed: int) -> Bot:
    from aztlan.house.learned import Learned  # only now, as with the next two: they need the kernel's module

    return Learned(seed)


def _ismcts(seed: int) -> Bot:
    from aztlan.house.ismcts import Ismcts

    return Ismcts(seed)


def _champion(seed: int) -> Bot:
    from aztlan.house.champion import Champion

    return Champion(seed)


HOUSE: dict[str, Callable[[int], Bot]] = {
    "random": RandomPlay,
    "greedy": Greedy,
    "settler": Settler,
    "warlord": Warlord,
    "learned": _learned,
    "searcher": Searcher,
    "ismcts": _ismcts,
    "champion": _champion,
}
"""Factories by name, each from a seed. The same seed plays the same game, unless a clock ends a search.

`learned` and `champion` need NumPy.
"""
