"""Search with a learned judgement: the tree of `tree.py`, the network of `learned`. Needs NumPy."""

from aztlan.house.tree import TreeBot
from aztlan.kernel import Batch


class Champion(TreeBot):
    """The network says which actions are worth a try, and what the end of each walk is worth."""

    name = "champion"

    def values(self, batch: Batch) -> list[list[float]]:
        """Return the network's predictions, by game and seat."""
        from aztlan.house import network  # only now: not every host has NumPy

        found: list[list[float]] = network.values(network.load(batch.seats), batch).tolist()
        return found
