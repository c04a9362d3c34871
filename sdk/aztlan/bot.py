"""`Bot`, the class that authors extend."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from aztlan.view import View
from engine.board import Board
from engine.events import Event
from engine.observation import Observation
from engine.rulesets import Ruleset
from proto.messages import Clocks, GameOver, Strike


@dataclass(frozen=True, slots=True)
class Match:
    """The match that is being played, and the bot's seat in it."""

    match_id: str
    seat: int
    seats: int
    board: Board
    rules: Ruleset
    clocks: Clocks
    seed_commitment: str


class Bot:
    """Subclass it and write `choose`; everything else is optional.

    `match` is set before `on_start`. `time_left` (on the clock) and `time_limit` (for this decision) are in
    seconds and set before each `choose`.
    """

    name = ""
    """The bot's name in reports; by default the name of its class."""

    match: Match
    time_left: float
    time_limit: float
    _note = ""

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Return one of the legal actions; there are always at least two."""
        raise NotImplementedError(f"{type(self).__name__} must have a method choose(observation, legal)")

    def on_start(self, match: Match) -> None:
        """Called when the match begins. The clock is not running yet."""

    def on_events(self, events: list[Event]) -> None:
        """Called before `choose` with the events since the last decision that this seat may see."""

    def on_strike(self, strike: Strike) -> None:
        """Called when the last answer was late or illegal and another action was taken for the bot."""
        print(f"strike {strike.strikes} of {strike.strikes_allowed}: {strike.reason}", file=sys.stderr)

    def on_end(self, over: GameOver) -> None:
        """Called when the match is over."""

    def note(self, text: str) -> None:
        """Attach a text to the next answer; only the author sees it, in the replay. 2048 bytes are kept."""
        self._note = text

    def take_note(self) -> str:
        """Return the note for the answer that is being sent, and clear it."""
        text, self._note = self._note, ""
        return text

    def view(self, observation: Observation) -> View:
        """Return helpers to query an observation: whose pawns stand where, which domains there are."""
        return View(observation, self.match.board)
