"""The native tree search, for bots: `aztlan/house/tree.py` is the same in Python, to be read."""

from collections.abc import Sequence
from typing import Any, Final

from engine.board import Board
from engine.kernel.batch import Batch, rule_bits
from engine.observation import Observation
from engine.rulesets import Ruleset

_NODE: Final = 28
"""Bytes of a node in `tree.c`."""


class Search:
    """A tree that grows from one observation of the acting seat. Only where `native_form()` is true.

    A network (`engine.kernel.foretell`) takes the place of the warlord's formula, if one is given. A node is
    expanded after `open_after` visits.
    """

    def __init__(
        self,
        seen: Observation,
        board: Board,
        rules: Ruleset,
        curiosity: float,
        network: bytes | None = None,
        open_after: int = 64,
        nodes: int = 50_000,
    ) -> None:
        self._games: Any = Batch(seen.seats, [], rules, board).games
        self._seen, self._rules, self._curiosity = seen, rule_bits(rules), curiosity
        self._open_after = open_after
        self._memory, self._network = bytearray(_NODE * nodes), network

    def simulate(
        self, worlds: int, seed: int, among: Sequence[int] | None = None
    ) -> list[tuple[int, int, float]]:
        """Try actions in so many more worlds, the same for each; return them with visits and mean values.

        They are those `among` the root's, which are the best dozen at first sight; all of them by default.
        """
        found: list[tuple[int, int, float]] = self._games.search(
            self._seen,
            self._memory,
            self._rules,
            worlds,
            seed % 2**64,
            self._curiosity,
            self._open_after,
            self._network,
            among,
        )
        return found
