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
    """What is played, and where the bot sits."""

    match_id: str
    seat: int
    seats: int
    board: Board
    rules: Ruleset
    clocks: Clocks
    seed_commitment: str


class Bot:
    """Write `choose`; the rest is there when it is wanted.

    `match` is set before `on_start`. `time_left` (what the clock holds) and `time_limit` (what this decision
    may take) are seconds, set before each `choose`.
    """

    name = ""
    """How reports call the bot; by default its class."""

    match: Match
    time_left: float
    time_limit: float
    _note = ""

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Return one of the legal actions; there are always two at least."""
        raise NotImplementedError(f"{type(self).__name__} must have a method choose(observation, legal)")

    def on_start(self, match: Match) -> None:
        """The match begins. The clock is not running yet."""

    def on_events(self, events: list[Event]) -> None:
        """What happened since the last decision, as far as this seat may see it; called before `choose`."""

    def on_strike(self, strike: Strike) -> None:
        """The last answer was late or illegal, and another action was taken for the bot."""
        print(f"strike {strike.strikes} of {strike.strikes_allowed}: {strike.reason}", file=sys.stderr)

    def on_end(self, over: GameOver) -> None:
        """The match is over."""

    def note(self, text: str) -> None:
        """Attach a text to the next answer, for the author's eyes in the replay. 2048 bytes are kept."""
        self._note = text

    def take_note(self) -> str:
        """The note for the answer that is being sent; the next answer begins without one."""
        text, self._note = self._note, ""
        return text

    def view(self, observation: Observation) -> View:
        """Ask an observation by name: whose pawns stand where, which domains there are."""
        return View(observation, self.match.board)
