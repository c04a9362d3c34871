"""A bot that grows: it places pawns next to its own, where nobody else stands, and takes what it can win.

Change `choose`. Try it with `aztlan play`, and before you upload it with `aztlan check`.
"""

import random
from collections.abc import Sequence

from aztlan import Bot, Kind, Match, Observation, group, run


class MyBot(Bot):
    """Plays legally, and a little better than chance."""

    def on_start(self, match: Match) -> None:
        """Called once, before the clock runs: read `match`, prepare what you need."""
        self.random = random.Random(match.seed_commitment)

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Return one of the legal actions."""
        view = self.view(observation)
        moves = group(legal)
        if Kind.CARD in moves:
            # What would score most now; of equals the lowest: at the end unused high cards are worth more.
            return max(
                moves[Kind.CARD], key=lambda move: (view.card_points(move.number), -move.number)
            ).action
        if Kind.PLACE in moves:
            empty = set(view.empty())
            wanted = empty & set(view.border()) or empty or set(range(self.match.board.size))
            return self.random.choice([move.action for move in moves[Kind.PLACE] if move.number in wanted])
        if Kind.BATTLE in moves:
            self.note("there is land to be won")
            return moves[Kind.BATTLE][0].action
        if Kind.BLESS in moves:
            return moves[Kind.BLESS][0].action
        if Kind.NAME in moves:
            return max(moves[Kind.NAME], key=lambda move: view.points(move.number)).action
        return legal[0]  # where passing is allowed it comes first


if __name__ == "__main__":
    run(MyBot())
