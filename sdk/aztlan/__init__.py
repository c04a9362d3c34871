"""Write a bot for Aztlán: subclass `Bot`, write `choose`, and `run` it.

    from aztlan import Bot, run

    class First(Bot):
        def choose(self, observation, legal):
            return legal[0]

    run(First())

For search, `determinize` samples full `State`s that are consistent with an observation.
"""

from aztlan.bot import Bot, Match
from aztlan.client import run
from aztlan.moves import Kind, Move, action_text, group, read_move
from aztlan.view import View
from engine import Observation, State, determinize, load_board, observe, ruleset
from engine.board import Board
from engine.events import Event
from engine.rulesets import Ruleset
from proto.messages import GameOver, Strike

__all__ = [
    "Board",
    "Bot",
    "Event",
    "GameOver",
    "Kind",
    "Match",
    "Move",
    "Observation",
    "Ruleset",
    "State",
    "Strike",
    "View",
    "action_text",
    "determinize",
    "group",
    "load_board",
    "observe",
    "read_move",
    "ruleset",
    "run",
]
