"""The questions to one bot: one is open at a time, against its clock. Other answers are only counted."""

import asyncio
from dataclasses import dataclass

from proto.messages import Clocks, Decision
from workers.match.clock import Countdown, SeatClock, StallMeter, rounded
from workers.match.report import SeatReport


@dataclass(slots=True)
class Question:
    """An open question: its id, the time left in the bank and for this answer, and the answer."""

    request_id: int
    step: int
    left_ms: int
    limit_ms: int
    countdown: Countdown
    answer: "asyncio.Future[Decision | None]"


class Questions:
    """Opens and closes the questions of a seat, and notes their times and answers in its report."""

    def __init__(self, clocks: Clocks, meter: StallMeter, report: SeatReport) -> None:
        self._clock = SeatClock(clocks)
        self._meter = meter
        self._report = report
        self._asked = 0
        self._unanswered: set[int] = set()
        self._open: Question | None = None

    def ask(self, step: int) -> Question:
        """Open a question for the decision at a step; its time runs from now."""
        limit = self._clock.begin_decision()
        self._asked += 1
        self._open = Question(
            self._asked,
            step,
            self._clock.bank // 1000,
            limit // 1000,
            Countdown(limit, self._meter, self.give_up),
            asyncio.get_running_loop().create_future(),
        )
        return self._open

    def take(self, decision: Decision) -> None:
        """Accept an answer if it is for the open question."""
        question = self._open
        if question and decision.request_id == question.request_id:
            self._close(question, decision)
            if decision.note:
                self._report.keep_note(question.step, decision.note)
        elif decision.request_id in self._unanswered:
            self._report.late += 1
        elif 0 < decision.request_id <= self._asked:
            self._report.repeated += 1
        else:
            self._report.unknown += 1

    def give_up(self) -> None:
        """Close the open question, if there is one, without an answer."""
        if self._open:
            self._unanswered.add(self._open.request_id)
            self._close(self._open, None)

    def _close(self, question: Question, decision: Decision | None) -> None:
        self._open = None
        wall, charged = question.countdown.stop()
        if decision is not None:
            charged = rounded(charged)  # in the bot's favour; a limit that ran out is charged in full
        self._clock.charge(charged)
        self._report.steps.append(question.step)
        self._report.wall_us.append(wall)
        self._report.charged_us.append(charged)
        if not question.answer.done():  # the match may have been cancelled meanwhile
            question.answer.set_result(decision)
