"""Search with a learned judgement: the tree of `ismcts`, the network of `learned`. Needs NumPy."""

from array import array

from aztlan.house.ismcts import Ismcts
from aztlan.kernel import Batch


class Champion(Ismcts):
    """The network says which actions are worth a try, and what the end of each walk is worth."""

    name = "champion"

    def network(self, seats: int) -> bytes:
        """Return the network for this number of seats. Override it to use one of your own."""
        from aztlan.house import network  # only now: not every host has NumPy

        return network.load(seats)

    def values(self, batch: Batch) -> list[list[float]]:
        """Return what the network foretells, by game and seat. Only the tree in Python asks here."""
        found, seats = array("f", bytes(4 * batch.size * batch.seats)), batch.seats
        batch.foretell_into(found, self.network(seats))
        return [found[i : i + seats].tolist() for i in range(0, len(found), seats)]
