"""Every way in which a bot can fail: what the report says, what the bot is told, and that others play on."""

import pytest

from engine.state import State
from proto.messages import Clocks, GameOver, StrikeKind
from workers.match.faults import FaultKind
from workers.match.report import MatchReport
from workers.match.stand_in import default_action

from .conftest import Friend, play, villain

QUICK = Clocks(startup_ms=30_000, bank_ms=0, increment_ms=300, decision_ms=300)
"""Too quick for bots that never answer; enough for the friend, who shares our loop, not to matter."""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a bot may need longer than a second to write what it was told."""
    monkeypatch.setattr("workers.match.seat.FAREWELL", 20.0)


async def fail(mode: str, clocks: Clocks | None = None) -> tuple[MatchReport, Friend]:
    """Play a villain against a friend, who must be told of a whole game and win it."""
    friend = Friend()
    report = await (play([villain(mode), friend], clocks) if clocks else play([villain(mode), friend]))
    assert report.placements == [2, 1]
    assert report.seats[1].fault is None
    assert report.seats[1].strikes == []
    assert isinstance(friend.heard[-1], GameOver)
    assert friend.heard[-1].placements == [2, 1]
    check_stand_in(report)
    return report, friend


def check_stand_in(report: MatchReport) -> None:
    """The default action was taken where the villain was struck, and always since it failed."""
    record, villain = report.record, report.seats[0]
    assert villain.fault is not None
    struck = {one.step for one in villain.strikes}
    state = State.new(len(record.seats), record.seed, record.ruleset)
    played_on = 0
    for step, action in enumerate(record.actions):
        seat = state.to_act()
        if seat == 0 and (step in struck or step >= villain.fault.step):
            assert action == default_action(record.seed, seat, step, state.legal_actions())
            played_on += step not in struck
        state.apply(action)
    assert played_on > 10


@pytest.mark.parametrize(
    ("mode", "kind", "reason", "told"),
    [
        ("wrong_version", FaultKind.VERSION, "speaks version 7 of the protocol", "FAILED_PRECONDITION"),
        ("no_hello_first", FaultKind.GARBAGE, "its first message was no hello", "INVALID_ARGUMENT"),
        ("bad_name", FaultKind.GARBAGE, "bytes that are no message", "INVALID_ARGUMENT"),
        ("garbage_message", FaultKind.GARBAGE, "it sent 50 bytes that are no message", "INVALID_ARGUMENT"),
        ("flood", FaultKind.FLOOD, "more than 1000 messages that nobody asked for", "RESOURCE_EXHAUSTED"),
    ],
)
@pytest.mark.usefixtures("patient")
async def test_a_bot_that_breaks_the_protocol_is_told_why_and_is_out(
    mode: str, kind: FaultKind, reason: str, told: str
) -> None:
    report, _ = await fail(mode)
    fault = report.seats[0].fault
    assert fault is not None
    assert fault.kind is kind
    assert reason in fault.reason
    assert f"the host ended it: {told}" in report.seats[0].output
    assert reason in report.seats[0].output


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        (
            "huge_message",
            "RESOURCE_EXHAUSTED SERVER: Received message larger than max (100000000 vs. 262144)",
        ),
        ("compressed", "UNIMPLEMENTED Compression algorithm 'gzip' is disabled"),
        ("huge_metadata", "RESOURCE_EXHAUSTED received metadata size exceeds hard limit"),
    ],
)
@pytest.mark.usefixtures("patient")
async def test_a_bot_that_sends_too_much_is_cut_off_by_the_transport(mode: str, told: str) -> None:
    report, _ = await fail(mode)
    fault = report.seats[0].fault
    assert fault is not None
    assert fault.kind in {FaultKind.CLOSED, FaultKind.CRASH}  # it exits when it has been told
    assert told in report.seats[0].output


@pytest.mark.parametrize("mode", ["hang_at_start", "raw_garbage", "raw_http1", "raw_half_preface"])
async def test_a_bot_that_does_not_say_hello_in_time_is_out_before_the_first_question(mode: str) -> None:
    report, _ = await fail(mode, Clocks(startup_ms=1500, bank_ms=60_000, increment_ms=0, decision_ms=60_000))
    fault = report.seats[0].fault
    assert fault is not None
    assert (fault.kind, fault.step) == (FaultKind.NO_HELLO, 0)
    assert "no hello within 1500 ms" in fault.reason
    assert report.seats[0].steps == []


async def test_a_bot_that_exits_at_once_is_out_without_waiting_for_its_allowance() -> None:
    report, _ = await fail("exit_at_once")
    fault = report.seats[0].fault
    assert fault is not None
    assert (fault.kind, fault.step, fault.reason) == (FaultKind.CRASH, 0, "it exited with code 1")
    assert report.seats[0].output == "no bot here\n"


@pytest.mark.parametrize(
    ("mode", "kind", "reason"),
    [
        ("crash", FaultKind.CRASH, "it exited with code 3"),
        ("exit_cleanly", FaultKind.CRASH, "it exited with code 0"),
        ("killed", FaultKind.CRASH, "it was killed by signal SIGSEGV"),
        ("killed_oddly", FaultKind.CRASH, "it was killed by signal 40"),
        ("close_stream", FaultKind.CLOSED, "its stream was closed"),
        ("half_close", FaultKind.CLOSED, "its stream was closed"),
    ],
)
async def test_a_bot_that_leaves_is_out_at_that_step(mode: str, kind: FaultKind, reason: str) -> None:
    report, _ = await fail(mode)
    seat = report.seats[0]
    assert seat.fault is not None
    assert seat.fault.kind is kind
    assert reason in seat.fault.reason
    assert seat.fault.step == seat.steps[-1]  # at its third question
    assert len(seat.steps) == 3
    assert len(report.record.actions) > seat.fault.step + 50  # played on


async def test_the_last_64_kb_of_a_dead_bots_words_are_in_the_report() -> None:
    report, _ = await fail("crash")
    assert report.seats[0].output.endswith(".\nlast words\n")
    assert len(report.seats[0].output) == 64 * 1024
    assert "first words" not in report.seats[0].output


@pytest.mark.parametrize(
    ("mode", "reason"),
    [("illegal_action", "action 19 refused"), ("action_out_of_range", "action 4294967295 refused")],
)
@pytest.mark.usefixtures("patient")
async def test_three_illegal_actions_are_three_strikes_and_the_bot_is_out(mode: str, reason: str) -> None:
    report, _ = await fail(mode)
    seat = report.seats[0]
    assert seat.fault is not None
    assert seat.fault.kind is FaultKind.STRIKES
    assert [one.kind for one in seat.strikes] == [StrikeKind.ILLEGAL_ACTION] * 3
    assert all(one.reason.startswith(reason) for one in seat.strikes)
    assert [one.step for one in seat.strikes] == seat.steps[2:5]
    assert seat.output.count("heard Strike") == 3
    assert "the host ended it: ABORTED strike 3 of 3" in seat.output


@pytest.mark.usefixtures("patient")
async def test_one_illegal_action_is_a_strike_and_the_bot_plays_on() -> None:
    report = await play([villain("one_illegal"), Friend()])
    seat = report.seats[0]
    assert seat.fault is None
    assert [one.step for one in seat.strikes] == [seat.steps[2]]
    assert report.placements == list(report.game_placements)
    assert seat.output == f"heard MatchStart \nheard Strike {seat.strikes[0].reason}\nheard GameOver \n"


@pytest.mark.parametrize("mode", ["never_answer", "never_read", "grant_no_window"])
async def test_a_bot_that_does_not_answer_has_three_time_strikes_and_is_out(mode: str) -> None:
    report, _ = await fail(mode, QUICK)
    seat = report.seats[0]
    assert seat.fault is not None
    assert seat.fault.kind is FaultKind.STRIKES
    assert [one.kind for one in seat.strikes[-3:]] == [StrikeKind.TIME] * 3
    assert seat.strikes[-1].reason == "no answer within 300 ms"
    assert min(seat.charged_us[-3:]) >= 300_000  # never out before its time


async def test_of_two_failed_seats_the_later_failure_places_better() -> None:
    early, late, friend = villain("exit_at_once"), villain("crash"), Friend()
    report = await play([late, friend, early])
    assert report.placements == [2, 1, 3]
    assert [seat.fault is None for seat in report.seats] == [False, True, False]


async def test_a_match_of_failed_bots_only_is_played_to_its_end() -> None:
    report = await play([villain("exit_at_once"), villain("exit_at_once")])
    assert report.placements == list(report.game_placements)
    assert all(seat.fault for seat in report.seats)
