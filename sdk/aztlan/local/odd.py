"""Players that lead a game to odd but legal positions: towers of pawns, empty decks, hands full of cards."""

import random
from collections.abc import Callable, Sequence

from aztlan.bot import Bot
from aztlan.moves import Kind, Move, group
from engine.observation import Observation

WHIM = 0.1
"""How often an odd player plays any legal action."""


class Odd(Bot):
    """Plays one way of being odd, to the extreme."""

    def __init__(self, way: str, seed: int) -> None:
        self.name, self.way, self.random = way, WAYS[way], random.Random(seed)

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Follow the way; where it says nothing, or on a whim, do anything."""
        moves = group(legal)
        liked = [] if self.random.random() < WHIM else self.way(self, observation, moves)
        return self.random.choice(liked or legal)

    def stack(self, observation: Observation, moves: dict[Kind, list[Move]]) -> list[int]:
        """Put every pawn where most of the own ones stand."""
        board, side = self.match.board, observation.side_of[observation.seat]
        pawns = observation.pawns[side * board.size : (side + 1) * board.size]
        tallest = max(range(board.size), key=lambda t: pawns[t])
        placed = [one.action for one in moves.get(Kind.PLACE, ()) if one.number == tallest]
        moved = [one.action for one in moves.get(Kind.MOVE, ()) if one.target == tallest]
        return placed or moved or self.hoard(observation, moves)

    def fight(self, observation: Observation, moves: dict[Kind, list[Move]]) -> list[int]:
        """Stand where others stand, and declare every battle."""
        if Kind.BATTLE in moves:
            return [one.action for one in moves[Kind.BATTLE]]
        board, side = self.match.board, observation.side_of[observation.seat]
        others = [
            sum(observation.pawns[s * board.size + t] for s in range(observation.seats) if s != side)
            for t in range(board.size)
        ]
        most = max(others)
        return [one.action for one in moves.get(Kind.PLACE, ()) if others[one.number] == most]

    def hoard(self, observation: Observation, moves: dict[Kind, list[Move]]) -> list[int]:  # noqa: ARG002
        """Never play a prosperity card, never fight."""
        return [one.action for kind in (Kind.COEXIST, Kind.PASS) for one in moves.get(kind, ())]

    def spend(self, observation: Observation, moves: dict[Kind, list[Move]]) -> list[int]:
        """Play every card at once, the rare ones first."""
        for kind in (Kind.RAFT_ALL, Kind.RAFT, Kind.TLATOANI, Kind.GAMES, Kind.EAGLE, Kind.BLESS, Kind.MOVE):
            if kind in moves:
                return [one.action for one in moves[kind]]
        return self.fight(observation, moves)

    def spread(self, observation: Observation, moves: dict[Kind, list[Move]]) -> list[int]:
        """Place one pawn everywhere."""
        board = self.match.board
        empty = {
            t
            for t in range(board.size)
            if not any(observation.pawns[s * board.size + t] for s in range(observation.seats))
        }
        return [one.action for one in moves.get(Kind.PLACE, ()) if one.number in empty]

    def anything(self, observation: Observation, moves: dict[Kind, list[Move]]) -> list[int]:  # noqa: ARG002
        """Play at random."""
        return []


Way = Callable[[Odd, Observation, dict[Kind, list[Move]]], list[int]]
WAYS: dict[str, Way] = {
    "stack": Odd.stack,
    "fight": Odd.fight,
    "hoard": Odd.hoard,
    "spend": Odd.spend,
    "spread": Odd.spread,
    "anything": Odd.anything,
}
