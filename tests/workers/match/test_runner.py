"""Whole matches: what bots are told, that choices are asked at once, what is left, and whose fault it is."""

import asyncio
import gc
import os
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path

import pytest

from engine.events import event
from engine.observation import HIDDEN
from engine.record import replay, verify
from engine.replay.frames import Frame, Lens
from engine.rulesets import EDITIONS
from engine.state import State
from proto.messages import Clocks, DecisionRequest, GameOver, MatchStart, Ping
from workers.match.report import MatchReport
from workers.match.runner import HostError, play_match
from workers.sandbox.base import Exit, Running, SandboxError

from .conftest import PATIENT, Friend, InProcess, make_spec, play, villain


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", EDITIONS)
async def test_friends_play_every_edition_to_the_end(seats: int, edition: str) -> None:
    spec = make_spec(seats, edition=edition, seed=seats)
    report = await play_match(spec, [Friend(seed=seat) for seat in range(seats)])
    final = verify(report.record)
    assert report.placements == list(report.game_placements) == final.placements()
    assert report.scores == final.scores()
    assert report.record.seats == spec.names
    assert report.record.ruleset == spec.ruleset
    assert all(seat.fault is None and seat.bot_name == "friend" for seat in report.seats)
    asked = sorted(step for seat in report.seats for step in seat.steps)
    assert asked == list(range(len(report.record.actions)))


async def test_a_bot_is_told_the_match_then_pinged_then_asked_then_told_the_end() -> None:
    friends = [Friend(seed=seat) for seat in range(3)]
    report = await play(friends)
    spec = make_spec(3)
    for number, friend in enumerate(friends):
        start, ping, *questions, over = friend.heard
        assert isinstance(start, MatchStart)
        assert (start.match_id, start.seat, start.seats) == (spec.match_id, number, 3)
        assert (start.ruleset, start.clocks) == (spec.ruleset.options(), PATIENT)
        assert (start.board.id, start.board.hash) == (spec.board_id, spec.board_hash)
        assert ping == Ping(1)
        assert report.seats[number].ping_us is not None
        assert all(isinstance(one, DecisionRequest) for one in questions)
        assert [one.request_id for one in questions] == list(range(1, len(questions) + 1))
        assert isinstance(over, GameOver)
        assert (over.placements, over.scores) == (report.placements, report.scores)
        assert sha256(over.seed).hexdigest() == start.seed_commitment


async def test_a_seat_sees_every_event_once_and_no_secret_of_others() -> None:
    friends = [Friend(seed=seat) for seat in range(3)]
    report = await play(friends)
    state = State.new(3, report.record.seed, report.record.ruleset)
    state.log_events()
    for action in report.record.actions:
        state.apply(action)
    everything = [event(raw) for raw in state.log]
    for number, friend in enumerate(friends):
        seen = [event(raw) for one in friend.heard if isinstance(one, DecisionRequest) for raw in one.events]
        assert seen == [one.seen_by(number) for one in everything][: len(seen)]
        secrets = [
            one for one in seen if one.kind in {"power_chosen", "card_drawn"} and one.data["seat"] != number
        ]
        assert secrets
        assert all(one.data["card"] == HIDDEN for one in secrets)


async def test_choices_that_the_rules_make_at_once_are_asked_at_once() -> None:
    """Each bot answers its first question only when all others have theirs: asked in turn, none could."""
    everyone_asked = asyncio.Barrier(3)

    async def wait_for_all(request: DecisionRequest) -> int:
        if request.request_id == 1:
            await everyone_asked.wait()
        return request.legal_actions[0]

    report = await play([Friend(wait_for_all) for _ in range(3)])
    assert all(not seat.strikes and not seat.fault for seat in report.seats)


async def play_before_spectators(frames_after: float) -> tuple[MatchReport, list[Frame]]:
    """Play a match whose clock goes on by a second each time that frames could be shown."""
    frames: list[Frame] = []
    report = await play(
        [Friend(), Friend(seed=1)],
        on_frame=frames.append,
        frames_after=frames_after,
        now=count().__next__,
    )
    return report, frames


@pytest.mark.parametrize("frames_after", [0, 20])
async def test_spectators_get_every_public_event_in_order_with_nothing_hidden_in_it(
    frames_after: float,
) -> None:
    report, frames = await play_before_spectators(frames_after)
    shown = [one for frame in frames for one in frame["events"]]
    state = State.new(2, report.record.seed, report.record.ruleset)
    state.log_events()
    for action in report.record.actions:
        state.apply(action)
    seen = [event(raw).seen_by(-1) for raw in state.log]
    for one in shown:
        one.pop("powers", None)  # why a conflict was won, which follows from the board
    assert shown == [{"kind": one.kind, **one.data} for one in seen]
    assert [frame["step"] for frame in frames] == list(range(len(frames)))


@pytest.mark.parametrize("frames_after", [0, 20])
async def test_spectators_see_the_clocks_as_the_replay_will_show_them(frames_after: float) -> None:
    report, frames = await play_before_spectators(frames_after)
    lens = Lens(timed=True)
    times = [dict(zip(seat.steps, seat.charged_us, strict=True)) for seat in report.seats]
    for step in replay(report.record):
        if step.seat >= 0:
            lens.charge(step.seat, times[step.seat].get(step.number - 1, 0))
        lens.see(step.state, step.events)
    shown = [frame["set"]["clocks"] for frame in frames if "clocks" in frame["set"]]
    assert shown[0] == [0, 0]
    assert shown[-1] == lens.seen["clocks"]
    assert all(later >= sooner for sooner, later in pairwise(shown))


async def test_a_match_that_is_over_before_frames_begin_shows_none() -> None:
    report, frames = await play_before_spectators(10_000)
    assert report.record.actions
    assert frames == []


class Witness:
    """Launches a villain and knows its process id."""

    def __init__(self, mode: str) -> None:
        self._launch = villain(mode)
        self.pid = 0

    async def __call__(self, socket: Path) -> Running:
        running = await self._launch(socket)
        self.pid = running.pid
        return running

    def is_gone(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        return False


async def test_nothing_is_left_when_a_match_is_over(tmp_path: Path) -> None:
    witness = Witness("never_answer")
    await play([witness, Friend()], Clocks(30_000, 0, 200, 200), folder=tmp_path)
    assert witness.is_gone()
    assert os.listdir(tmp_path) == []  # noqa: PTH208  names alone


def test_matches_leave_no_file_descriptors_open() -> None:
    def open_files() -> int:
        asyncio.run(play([Friend(), Friend()]))
        gc.collect()
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  names alone

    before = open_files()
    assert [open_files() for _ in range(3)] == [before] * 3


async def test_a_cancelled_match_leaves_no_process_behind(tmp_path: Path) -> None:
    witness = Witness("honest")
    asked = asyncio.Event()

    async def never(_request: DecisionRequest) -> int:
        asked.set()
        return await asyncio.Future[int]()

    match = asyncio.create_task(play([witness, Friend(never)], folder=tmp_path))
    await asked.wait()
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match
    assert witness.is_gone()
    assert os.listdir(tmp_path) == []  # noqa: PTH208  names alone


async def test_a_launcher_that_fails_is_the_hosts_fault_and_ends_the_match() -> None:
    async def broken(_socket: Path) -> Running:
        raise SandboxError("no slot left")

    with pytest.raises(SandboxError, match="no slot left"):
        await play([Friend(), broken])


async def test_a_sandbox_that_fails_in_the_middle_is_the_hosts_fault() -> None:
    class Broken(InProcess):
        async def wait(self) -> Exit:
            await asyncio.sleep(0.1)
            raise SandboxError("the cgroup is gone")

    async def launch(_socket: Path) -> Running:
        return Broken(asyncio.sleep(60))

    with pytest.raises(SandboxError, match="the cgroup is gone"):
        await play([Friend(), launch])


async def test_a_hook_that_fails_is_the_hosts_fault() -> None:
    def broken(_frame: Frame) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await play([Friend(), Friend()], on_frame=broken)


async def test_a_bug_in_reading_a_message_is_the_hosts_fault_and_no_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_data: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("workers.match.seat.codec.read_bot_message", broken)
    with pytest.raises(ZeroDivisionError):
        await play([Friend(), Friend()])


async def test_a_match_needs_a_bot_a_seat() -> None:
    with pytest.raises(HostError, match="1 bots for 2 seats"):
        await play_match(make_spec(2), [Friend()])


async def test_a_folder_whose_path_is_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="choose a shorter folder"):
        await play([Friend(), Friend()], folder=tmp_path / ("x" * 100))


async def test_bots_of_two_matches_at_once_do_not_disturb_each_other() -> None:
    both = await asyncio.gather(play([Friend(), Friend()]), play([Friend(), Friend()]))
    assert both[0].record == both[1].record


async def test_the_same_bots_and_seed_give_the_same_record() -> None:
    records = [(await play([Friend(seed=1), villain("exit_at_once")])).record for _ in range(2)]
    assert records[0] == records[1]


def test_matches_can_follow_each_other_each_in_a_loop_of_its_own() -> None:
    for _ in range(3):
        report = asyncio.run(play([Friend(), Friend()]))
        assert sorted(report.placements) == [1, 2]
