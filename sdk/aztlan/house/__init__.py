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
"""By name, what makes such a bot from a seed. The same seed plays the same, but for the searcher's clock.

`ismcts`, `learned` and `champion` are beside them to be read and tried; they join when proven stronger.
"""
