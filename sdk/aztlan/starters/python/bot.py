"""A bot that grows: it places pawns next to its own, and takes land where nobody else stands.

Change `choose`. Try it with `aztlan play`, and before you upload it with `aztlan check`.
"""

import random

from aztlan import Bot, Kind, group, run


class MyBot(Bot):
    """Plays legally, and a little better than chance."""

    def on_start(self, match):
        """Called once, before the clock runs: read `match`, prepare what you need."""
        self.random = random.Random(match.seed_commitment)

    def choose(self, observation, legal):
        """Return one of the legal actions."""
        view = self.view(observation)
        moves = group(legal)
        if Kind.CARD in moves:
            # The power card whose type would score most now; the highest of equals is kept for later.
            return min(
                moves[Kind.CARD], key=lambda move: (-self.points(view, move.number), move.number)
            ).action
        if Kind.PLACE in moves:
            wanted = (
                set(view.border()) & set(view.empty())
                or set(view.empty())
                or set(range(self.match.board.size))
            )
            return self.random.choice([move.action for move in moves[Kind.PLACE] if move.number in wanted])
        if Kind.BATTLE in moves:
            self.note("there is land to be won")
            return moves[Kind.BATTLE][0].action
        if Kind.BLESS in moves:
            return moves[Kind.BLESS][0].action
        if Kind.NAME in moves:
            return max(moves[Kind.NAME], key=lambda move: view.points(move.number)).action
        return legal[0]  # where passing is allowed it comes first

    def points(self, view, card):
        """What a power card would score with the domains as they are."""
        kind = self.match.board.card_types[card - 4]
        return view.points(kind) if kind >= 0 else 0


if __name__ == "__main__":
    run(MyBot())
