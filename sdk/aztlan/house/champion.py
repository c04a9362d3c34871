"""Search with a learned judgement: the tree of `ismcts`, the network of `learned`. Needs NumPy."""

from aztlan.house.ismcts import Ismcts
from engine.kernel import Batch


class Champion(Ismcts):
    """The network says which actions are worth a try, and how the positions at the end of the walks will end."""

    name = "champion"
    searches_cards = True

    def values(self, batch: Batch) -> list[list[float]]:
        """What the network foretells, by game and seat."""
        from aztlan.house import network  # only now: not every host has NumPy

        found: list[list[float]] = network.values(network.load(batch.seats), batch).tolist()
        return found
