"""The native tree search, for bots: `aztlan/house/tree.py` is the same in Python, to be read."""

from typing import Any, Final

from engine.board import Board
from engine.kernel.batch import Batch, rule_bits
from engine.observation import Observation
from engine.rulesets import Ruleset

_NODE: Final = 28
"""Bytes of a node in `tree.c`."""


class Search:
    """A tree that grows from one observation of the acting seat. Only where `native_form()` is true.

    A network (`engine.kernel.foretell`) takes the place of the warlord's formula, if one is given.
    """

    def __init__(
        self,
        seen: Observation,
        board: Board,
        rules: Ruleset,
        curiosity: float,
        network: bytes | None = None,
        nodes: int = 50_000,
    ) -> None:
        self._games: Any = Batch(seen.seats, [], rules, board).games
        self._seen, self._rules, self._curiosity = seen, rule_bits(rules), curiosity
        self._memory, self._network = bytearray(_NODE * nodes), network

    def simulate(self, times: int, seed: int) -> list[tuple[int, int, float]]:
        """Run this many more simulations; return the root's actions with visits and mean values."""
        found: list[tuple[int, int, float]] = self._games.search(
            self._seen, self._memory, self._rules, times, seed % 2**64, self._curiosity, self._network
        )
        return found
