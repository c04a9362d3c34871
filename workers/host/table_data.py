"""What the arena tells a host about a table with people, read strictly."""

from dataclasses import dataclass
from typing import Any

from proto.messages import Clocks
from workers.host.assignment import AssignedBot, read_assignment, read_bot
from workers.match.person import Leaving, Person
from workers.match.spec import MatchSpec
from workers.match.strict import DataError, choice, fields, flag, items, number

MOST_ACTIONS = 10_000
LONGEST_MS = 3_600_000
Answer = tuple[int, int, int, int]
"""Attempt, seat, step and action."""


@dataclass(frozen=True)
class TableAssignment:
    """A match with people in some seats, and the actions that were played there already.

    At a person's seat `bots` has the one that takes over if the person leaves; `stand_in` is for
    bots that cannot go on.
    """

    spec: MatchSpec
    bots: list[AssignedBot]
    actions: list[int]
    people: dict[int, Person]
    stand_in: AssignedBot | None


@dataclass(frozen=True)
class TableNews:
    """What the arena answers to the heartbeat of a host's tables."""

    lost: list[int]
    waiting: list[tuple[int, str]]
    answers: list[Answer]


def read_table(data: Any) -> TableAssignment:
    names = ("assignment", "actions", "people", "stand_in")
    assignment, actions, people, stand_in = fields(data, "table", names)
    read = read_assignment(assignment)
    if read.match is None:
        raise DataError("table.assignment must have a match")
    seated = dict(items(people, "table.people", read_person, 4))
    if not all(seat < read.match.seats for seat in seated):
        raise DataError("table.people must sit at the match's seats")
    return TableAssignment(
        read.match,
        read.bots,
        items(actions, "table.actions", number, MOST_ACTIONS),
        seated,
        None if stand_in is None else read_bot(stand_in, "table.stand_in"),
    )


def read_person(data: Any, where: str) -> tuple[int, Person]:
    names = ("seat", "decision_ms", "leaving", "resigned_at", "has_left", "answer")
    seat, decision_ms, leaving, resigned_at, has_left, answer = fields(data, where, names)
    limit = number(decision_ms, f"{where}.decision_ms", 1, LONGEST_MS)
    person = Person(
        Clocks(1, LONGEST_MS, LONGEST_MS, limit),  # only the time for each decision counts
        choice(leaving, f"{where}.leaving", Leaving),
        None if resigned_at is None else number(resigned_at, f"{where}.resigned_at"),
        flag(has_left, f"{where}.has_left"),
    )
    if answer is not None:
        step, action = items(answer, f"{where}.answer", lambda one, at: number(one, at, -2), 2)
        person.early[step] = action
    return number(seat, f"{where}.seat", 0, 3), person


def read_news(data: Any) -> TableNews:
    lost, waiting, answers = fields(data, "news", ("lost", "waiting", "answers"))
    return TableNews(
        items(lost, "news.lost", number, MOST_ACTIONS),
        items(waiting, "news.waiting", read_waiting, MOST_ACTIONS),
        items(answers, "news.answers", read_answer, MOST_ACTIONS),
    )


def read_waiting(data: Any, where: str) -> tuple[int, str]:
    if not isinstance(data, list) or len(data) != 2 or not isinstance(data[1], str):
        raise DataError(f"{where} must be an attempt and its token")
    return number(data[0], where), data[1]


def read_answer(data: Any, where: str) -> Answer:
    attempt, seat, step, action = items(data, where, lambda one, at: number(one, at, -2), 4)
    return attempt, seat, step, action
