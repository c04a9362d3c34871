"""Questions and answers in any order: each question has one outcome, and every other answer is counted."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from proto.messages import Clocks, Decision
from workers.match.clock import StallMeter
from workers.match.questions import Question, Questions
from workers.match.report import SeatReport

ENDLESS = Clocks(startup_ms=1, bank_ms=3_600_000, increment_ms=0, decision_ms=3_600_000)
acts = st.lists(st.sampled_from(["ask", "give_up"]) | st.integers(0, 12), max_size=60)


class Model:
    """What must come of it, told in the plainest way."""

    def __init__(self) -> None:
        self.asked = 0
        self.open = 0
        self.unanswered: set[int] = set()
        self.outcomes: dict[int, int | None] = {}
        self.counts = {"late": 0, "repeated": 0, "unknown": 0}

    def answer(self, request_id: int) -> None:
        if request_id == self.open and request_id:
            self.outcomes[request_id], self.open = request_id, 0
        elif request_id in self.unanswered:
            self.counts["late"] += 1
        else:
            self.counts["repeated" if 1 <= request_id <= self.asked else "unknown"] += 1

    def give_up(self) -> None:
        if self.open:
            self.unanswered.add(self.open)
            self.outcomes[self.open], self.open = None, 0


async def compare(script: list[str | int]) -> None:
    report, model = SeatReport(), Model()
    questions = Questions(ENDLESS, StallMeter(), report)
    asked: dict[int, Question] = {}
    for act in script:
        if act == "ask" and not model.open:
            question = questions.ask(step=10 * model.asked)
            model.asked = model.open = question.request_id
            asked[question.request_id] = question
        elif act == "give_up":
            questions.give_up()
            model.give_up()
        elif isinstance(act, int):
            questions.take(Decision(act, action=act, note="n"))
            model.answer(act)
    questions.give_up()
    model.give_up()
    for request_id, expected in model.outcomes.items():
        decision = asked[request_id].answer.result()
        assert (decision and decision.action) == expected
    assert list(asked) == list(range(1, model.asked + 1))
    assert {name: getattr(report, name) for name in model.counts} == model.counts
    assert report.steps == [10 * (request_id - 1) for request_id in model.outcomes]
    assert len(report.notes) == sum(one is not None for one in model.outcomes.values())


@given(acts)
def test_every_question_has_one_outcome_and_other_answers_are_counted(script: list[str | int]) -> None:
    asyncio.run(compare(script))
