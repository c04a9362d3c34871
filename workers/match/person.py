"""A seat at which a person sits: the same questions and clocks as a bot's, but answers come from outside.

The host that plays the table calls `Person.answer` when the arena passes one on. Nothing runs meanwhile.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.observation import Observation
from proto.messages import Clocks, Decision, GameOver, MatchStart, RawEvent, StrikeKind
from workers.match.clock import StallMeter
from workers.match.faults import Fault, FaultKind
from workers.match.questions import Question, Questions
from workers.match.report import SeatReport

MISSES_ALLOWED: Final = 2
"""Who lets the time run out this often in a row has left."""
RESIGN: Final = -1
LEAVE: Final = -2


class Leaving(Enum):
    """What becomes of the seat of somebody who leaves."""

    BOT = "bot"
    RESIGN = "resign"


@dataclass(slots=True)
class Person:
    """Somebody at the table, as the host knows them. `seat` is set while the match is played."""

    clocks: Clocks
    leaving: Leaving
    resigned_at: int | None = None
    """At which step they resigned, where the match goes on after its host's death."""
    has_left: bool = False
    """Whether a bot has taken the seat over already."""
    early: dict[int, int] = field(default_factory=dict)
    """Answers by step that came before the question was put here."""
    seat: "PersonSeat | None" = None

    def answer(self, step: int, action: int) -> None:
        """Pass an answer on; `RESIGN` and `LEAVE` count whenever they come."""
        if self.seat is None or not self.seat.take(step, action):
            self.early[step] = action


class PersonSeat:
    """What `Seat` is for a bot. A person starts no process and says no hello."""

    def __init__(self, person: Person, meter: StallMeter, step: Callable[[], int]) -> None:
        self.report = SeatReport(startup_us=0)
        self._person = person
        self._step = step
        self._questions = Questions(person.clocks, meter, self.report)
        self._open: tuple[Question, Sequence[int]] | None = None
        self._missed = 0
        self._is_leaving = person.has_left
        if person.resigned_at is not None:
            self.report.fault = Fault(FaultKind.LEFT, person.resigned_at, "they resigned")
        person.seat = self

    @property
    def fault(self) -> Fault | None:
        """Set once the person has resigned."""
        return self.report.fault

    @property
    def is_vacant(self) -> bool:
        """Whether the person has left the seat to a bot."""
        return self._is_leaving and self.fault is None

    async def hello(self) -> None:
        """Whoever sits at a table is ready."""

    def start_match(self, start: MatchStart) -> None:
        """The arena shows people the table; it needs nothing from here."""

    def ask(self, step: int, seen: Observation, legal: Sequence[int], news: Sequence[RawEvent]) -> Question:  # noqa: ARG002  as a bot's
        """Put a question; an answer may already be there."""
        question = self._questions.ask(step)
        self._open = (question, legal)
        early = self._person.early
        leaving = next((action for action in early.values() if action < 0), None)
        if self._is_leaving:
            self._questions.give_up()
        elif leaving is not None or step in early:
            action = early[step] if leaving is None else leaving
            early.clear()
            asyncio.get_running_loop().call_soon(self.take, step, action)
        return question

    def take(self, step: int, action: int) -> bool:
        """Accept an answer to the open question; return False if it is for another one."""
        if action in (RESIGN, LEAVE):
            self._leave(resigns=action == RESIGN)
            return True
        if self._open is None or self._open[0].step != step:
            return False
        question, legal = self._open
        if action in legal:  # the arena has checked it; anything else is not worth a strike
            self._missed = 0
            self._questions.take(Decision(question.request_id, action))
        return True

    async def answer(self, question: Question) -> Decision | None:
        """Wait for the answer; None if the time ran out or the person has left."""
        decision = await question.answer
        self._open = None
        if decision is None and not self.fault and not self._is_leaving:
            self._missed += 1
            if self._missed >= MISSES_ALLOWED:
                self._leave(resigns=False)
        return decision

    def strike(self, question: Question, kind: StrikeKind, reason: str, action: int) -> None:
        """A person who was too slow has lost the decision, and nothing else."""

    def finish(self, over: GameOver) -> None:
        """The arena tells people how it ended."""

    def dismiss(self) -> None:
        """A bot has the seat now; what the person still sends is for nobody."""

    async def close(self) -> None:
        """Leave nothing waiting."""
        self._questions.give_up()
        self._person.seat = None

    def _leave(self, *, resigns: bool) -> None:
        if resigns or self._person.leaving is Leaving.RESIGN:
            reason = "they resigned" if resigns else "they left the table"
            self.report.fault = self.report.fault or Fault(FaultKind.LEFT, self._step(), reason)
        else:
            self._is_leaving = True
        self._questions.give_up()
