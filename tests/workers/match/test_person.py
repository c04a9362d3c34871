"""People at the seats of the runner: they answer, are late, leave and resign, and a host takes a match up."""

import asyncio
import random
import sys
from collections.abc import Sequence
from typing import Any

from engine.boardfile import load_board
from engine.record import verify
from engine.rulesets import ruleset
from engine.state import State
from proto.messages import Clocks
from workers.match.contradictions import check_seats
from workers.match.faults import FaultKind
from workers.match.person import LEAVE, RESIGN, Leaving, Person
from workers.match.plain_process import plain_launcher
from workers.match.report import MatchReport
from workers.match.runner import Sitting, play_match
from workers.match.spec import MatchSpec

PATIENT = Clocks(1, 3_600_000, 3_600_000, 3_600_000)
HURRIED = Clocks(1, 3_600_000, 3_600_000, 1)
GREEDY = plain_launcher([sys.executable, "-m", "aztlan.house", "greedy"])


def spec(seats: int = 2) -> MatchSpec:
    board = load_board()
    names = tuple(f"person {seat}" for seat in range(seats))
    return MatchSpec("abc", names, bytes(range(32)), ruleset(), board.id, board.hash)


class Players:
    """Answers for people at random from the list of actions, as the arena does, and keeps that list."""

    def __init__(self, match: MatchSpec, people: dict[int, Person], so_far: Sequence[int] = ()) -> None:
        self.people = people
        self.chance = random.Random(1)
        self.state = State.new(match.seats, match.seed, match.ruleset, load_board())
        self.actions: list[int] = []
        self.stood_in: list[int] = []
        self.silent: set[int] = set()
        self._take(so_far)

    async def record(self, step: int, actions: Sequence[int]) -> None:
        assert step == len(self.actions)
        self._take(actions)
        self.answer()

    def answer(self) -> None:
        for place, seat in enumerate(self.state.acting()):
            if seat in self.people and seat not in self.silent:
                action = self.chance.choice(self.state.legal_actions(seat))
                self.people[seat].answer(len(self.actions) + place, action)

    def sitting(self, **more: Any) -> Sitting:
        return Sitting(on_actions=self.record, on_stand_in=self.stood_in.append, **more)

    def _take(self, actions: Sequence[int]) -> None:
        for action in actions:
            self.state.apply(action)
            self.actions.append(action)


def check(report: MatchReport) -> None:
    """What the arena checks of every report."""
    actors: list[int] = []
    end = verify(report.record, actors=actors)
    assert list(report.game_placements) == end.placements()
    check_seats(MatchReport.from_data(report.to_data()), actors)


async def test_people_play_a_game_to_its_end() -> None:
    people = {seat: Person(PATIENT, Leaving.BOT) for seat in range(4)}
    match = spec(4)
    players = Players(match, people)
    players.answer()
    report = await play_match(match, list(people.values()), sitting=players.sitting())
    assert list(report.record.actions) == players.actions
    assert [seat.fault for seat in report.seats] == [None] * 4
    check(report)


async def test_who_resigns_is_placed_last_and_the_others_finish() -> None:
    people = {seat: Person(PATIENT, Leaving.BOT) for seat in range(3)}
    match = spec(3)
    players = Players(match, people)
    players.silent = {1}
    players.answer()
    people[1].answer(0, RESIGN)
    report = await play_match(match, list(people.values()), sitting=players.sitting())
    assert report.seats[1].fault
    assert report.seats[1].fault.kind is FaultKind.LEFT
    assert report.seats[1].placement == 3
    check(report)


async def test_a_bot_takes_over_from_somebody_who_leaves() -> None:
    people = {seat: Person(PATIENT, Leaving.BOT) for seat in range(2)}
    match = spec()
    players = Players(match, people)
    players.silent = {1}
    players.answer()
    people[1].answer(1, LEAVE)
    sitting = players.sitting(stand_ins={0: GREEDY, 1: GREEDY})
    report = await play_match(match, list(people.values()), sitting=sitting)
    assert players.stood_in == [1]
    assert [seat.fault for seat in report.seats] == [None, None]
    check(report)


async def test_who_is_late_twice_in_a_row_has_left() -> None:
    people = {0: Person(PATIENT, Leaving.BOT), 1: Person(HURRIED, Leaving.BOT)}
    match = spec()
    players = Players(match, people)
    players.silent = {1}
    players.answer()
    sitting = players.sitting(stand_ins={1: GREEDY})
    report = await play_match(match, list(people.values()), sitting=sitting)
    assert players.stood_in == [1]
    assert report.seats[1].strikes == []
    check(report)


async def test_where_nobody_stands_in_leaving_is_resigning() -> None:
    people = {0: Person(PATIENT, Leaving.RESIGN), 1: Person(HURRIED, Leaving.RESIGN)}
    match = spec()
    players = Players(match, people)
    players.silent = {1}
    players.answer()
    report = await play_match(match, list(people.values()), sitting=players.sitting(stand_ins={1: GREEDY}))
    assert report.seats[1].fault
    assert report.seats[1].fault.kind is FaultKind.LEFT
    check(report)


async def test_another_host_takes_a_match_up_where_its_list_of_actions_ends() -> None:
    match = spec()
    first = {0: Person(PATIENT, Leaving.BOT)}
    before = Players(match, first)
    enough = asyncio.Event()

    async def record(step: int, actions: Sequence[int]) -> None:
        before._take(actions)
        if len(before.actions) > 30:
            enough.set()
            await asyncio.Event().wait()
        before.answer()

    before.answer()
    playing = asyncio.create_task(play_match(match, [first[0], GREEDY], sitting=Sitting(on_actions=record)))
    await enough.wait()
    playing.cancel()  # the host dies
    await asyncio.wait([playing])
    people = {0: Person(PATIENT, Leaving.BOT)}
    after = Players(match, people, before.actions)
    after.answer()
    report = await play_match(match, [people[0], GREEDY], sitting=after.sitting(so_far=before.actions))
    assert list(report.record.actions)[: len(before.actions)] == before.actions
    assert [seat.fault for seat in report.seats] == [None, None]
    check(report)


async def test_a_bot_that_cannot_go_on_in_a_match_is_replaced() -> None:
    match = spec()
    people = {0: Person(PATIENT, Leaving.BOT)}
    state = State.new(2, match.seed, match.ruleset, load_board())
    so_far = []
    for _ in range(20):
        so_far.append(state.legal_actions()[0])
        state.apply(so_far[-1])
    players = Players(match, people, so_far)
    players.answer()
    broken = plain_launcher([sys.executable, "-c", "raise SystemExit(3)"])
    sitting = players.sitting(so_far=so_far, stand_ins={0: GREEDY, 1: GREEDY})
    report = await play_match(match, [people[0], broken], sitting=sitting)
    assert players.stood_in == [1]
    assert [seat.fault for seat in report.seats] == [None, None]
    check(report)


FORGETFUL = """
import os
from aztlan.bot import Bot
from aztlan.client import run


class Forgetful(Bot):
    def choose(self, observation, legal):
        os._exit(1)


run(Forgetful())
"""


async def test_a_bot_that_ends_at_its_first_question_there_is_replaced_as_well() -> None:
    """Its stream breaks first and its process ends later: the second must not be held against the stand-in."""
    match = spec()
    people = {0: Person(PATIENT, Leaving.BOT)}
    state = State.new(2, match.seed, match.ruleset, load_board())
    so_far = []
    for _ in range(4):
        so_far.append(state.legal_actions()[0])
        state.apply(so_far[-1])
    players = Players(match, people, so_far)
    players.answer()
    forgetful = plain_launcher([sys.executable, "-c", FORGETFUL])
    sitting = players.sitting(so_far=so_far, stand_ins={0: GREEDY, 1: GREEDY})
    report = await play_match(match, [people[0], forgetful], sitting=sitting)
    assert players.stood_in == [1]
    assert [seat.fault for seat in report.seats] == [None, None]
    check(report)
