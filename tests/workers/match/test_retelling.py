"""What a seat is told again is what it was sent: the bytes are compared."""

import asyncio
import json
from pathlib import Path

import pytest

from aztlan.house import HOUSE
from aztlan.jsonlines import write_line
from aztlan.local.house_seat import house_launcher
from aztlan.rules import EDITIONS
from engine.boardfile import load_board
from engine.rulesets import ruleset
from proto import codec
from proto.messages import Clocks, DecisionRequest, GameOver, HostMessage, Ping
from workers.match.report import MatchReport
from workers.match.retelling import SeatStory, retell
from workers.match.runner import play_match
from workers.match.seat_server import SeatServer
from workers.match.spec import MatchSpec

CLOCKS = Clocks(60_000, 300_000, 100, 60_000)


def play(seats: int, edition: str, tmp_path: Path, bots: list[object]) -> MatchReport:
    board = load_board()
    spec = MatchSpec(
        "abc", ("bot",) * seats, bytes(range(32)), ruleset(edition), board.id, board.hash, CLOCKS
    )
    return asyncio.run(play_match(spec, [house_launcher(bot) for bot in bots], folder=tmp_path))  # type: ignore[arg-type]


@pytest.mark.parametrize(("seats", "edition"), [(2, EDITIONS[0]), (3, EDITIONS[1]), (4, EDITIONS[-1])])
def test_every_seat_is_told_again_what_it_was_sent(
    seats: int, edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: dict[str, list[bytes]] = {}
    send = SeatServer.send

    def note(server: SeatServer, data: bytes) -> None:
        sent.setdefault(server.socket.name, []).append(data)
        send(server, data)

    monkeypatch.setattr(SeatServer, "send", note)

    class Wrong(HOUSE["random"]):  # type: ignore[misc]
        """Answers illegally now and then: once, so that its part does not end."""

        def choose(self, observation, legal):  # type: ignore[no-untyped-def]
            if observation.age == 2 and not getattr(self, "erred", False):
                self.erred = True
                return 60_000
            return super().choose(observation, legal)

    bots = [Wrong(1), *(HOUSE["greedy"](seat) for seat in range(1, seats))]
    report = play(seats, edition, tmp_path, bots)
    assert [len(seat.strikes) for seat in report.seats] == [1] + [0] * (seats - 1)
    for number, seat in enumerate(report.seats):
        story = SeatStory(
            number,
            "abc",
            CLOCKS,
            dict(zip(seat.steps, seat.charged_us, strict=True)),
            {one.step: (one.kind, one.reason) for one in seat.strikes},
            [one.placement for one in report.seats],
        )
        told = list(retell(report.record, story))
        wanted = [data for data in sent[f"seat{number}.sock"] if not isinstance(read(data), Ping)]
        assert [plain(one.data) for one in told] == [plain(data) for data in wanted]
        questions = [data for data in wanted if isinstance(read(data), DecisionRequest)]
        assert [one.data for one in told if one.step >= 0] == questions
        assert all(report.record.actions[one.step] == one.played for one in told if one.step >= 0)


def read(data: bytes) -> HostMessage | None:
    return codec.read_host_message(data)


def plain(data: bytes) -> object:
    message = read(data)
    assert message is not None
    return json.loads(write_line(message))


def test_a_seat_whose_bot_failed_is_told_nothing_after_that(tmp_path: Path) -> None:
    class Lost(HOUSE["random"]):  # type: ignore[misc]
        def choose(self, observation, legal):  # type: ignore[no-untyped-def]
            return 60_000

    report = play(2, EDITIONS[0], tmp_path, [Lost(1), HOUSE["random"](2)])
    seat = report.seats[0]
    assert seat.fault
    charged = dict(zip(seat.steps, seat.charged_us, strict=True))
    told = list(retell(report.record, SeatStory(0, "abc", CLOCKS, charged)))
    assert len([one for one in told if one.step >= 0]) == len(seat.steps) == 3
    assert not any(isinstance(read(one.data), GameOver) for one in told)
