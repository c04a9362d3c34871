"""Search with a learned judgement: the tree of `ismcts`, the network of `learned`. Needs NumPy."""

from aztlan.house.ismcts import Ismcts


class Champion(Ismcts):
    """The network says which actions are worth a try, and what the end of each walk is worth."""

    name = "champion"
    simulations = 4000
    open_after = 400

    def network(self, seats: int) -> bytes:
        """Return the network for this number of seats. Override it to use one of your own."""
        from aztlan.house import network  # only now: not every host has NumPy

        return network.load(seats)
