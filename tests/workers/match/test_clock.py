"""Clocks: what a bank allows and what is charged, and that the host's own stalls are nobody's time."""

import asyncio
import time

from hypothesis import given
from hypothesis import strategies as st

from engine.replay.frames import Frame
from proto.messages import Clocks, DecisionRequest
from workers.match.clock import Countdown, SeatClock, StallMeter

from .conftest import Friend, play

small = st.integers(0, 5000)


@given(st.builds(Clocks, small, small, small, small), st.lists(st.integers(0, 3_000_000), max_size=30))
def test_a_bank_gains_the_increment_and_loses_the_charge_and_is_never_below_nothing(
    clocks: Clocks, charges: list[int]
) -> None:
    clock = SeatClock(clocks)
    expected = clocks.bank_ms * 1000
    for used in charges:
        limit = clock.begin_decision()
        expected += clocks.increment_ms * 1000
        assert limit == min(expected, clocks.decision_ms * 1000)
        clock.charge(used)
        expected = max(0, expected - used)
        assert clock.bank == expected


async def test_a_stall_is_what_a_beat_came_too_late_by() -> None:
    now = 100.0
    meter = StallMeter(lambda: now)
    assert meter.stalled() == 0
    now += meter.INTERVAL
    assert meter.stalled() == 0
    now += meter.USUAL + 0.25
    assert round(meter.stalled(), 6) == 0.25  # counted while it lasts
    meter.tick()
    assert round(meter.stalled(), 6) == 0.25  # and kept after it
    now += meter.INTERVAL
    meter.tick()
    assert round(meter.stalled(), 6) == 0.25
    meter.stop()


async def test_a_countdown_does_not_end_while_the_host_stalls() -> None:
    meter = StallMeter()
    meter.start()
    ended = asyncio.Event()
    countdown = Countdown(200_000, meter, ended.set)
    await asyncio.sleep(0)
    time.sleep(0.5)  # noqa: ASYNC251 - the host stalls longer than the whole limit
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not ended.is_set()
    await ended.wait()
    wall, charged = countdown.stop()
    assert charged >= 200_000
    assert wall - charged >= 450_000
    meter.stop()


async def test_a_host_that_stalls_while_bots_think_strikes_nobody() -> None:
    """The stall is longer than a decision may take, and comes while every bot's question is open."""

    def stall(frame: Frame) -> None:
        if frame["step"] == 0:
            time.sleep(3.5)

    # Long enough for a busy machine: an honest answer takes a millisecond.
    limits = Clocks(startup_ms=30_000, bank_ms=60_000, increment_ms=0, decision_ms=3000)
    report = await play([Friend(), Friend(seed=1)], limits, on_frame=stall)
    for seat in report.seats:
        assert seat.strikes == []
        assert seat.wall_us[0] >= 3_500_000
        assert seat.charged_us[0] < 3_000_000
    assert report.stalled_us >= 3_400_000


async def test_the_time_told_to_a_bot_is_the_time_its_clock_has() -> None:
    limits = Clocks(startup_ms=30_000, bank_ms=90_000, increment_ms=50, decision_ms=20_000)
    friend = Friend()
    report = await play([friend, Friend()], limits)
    seat, bank = report.seats[0], 90_000_000
    questions = [one for one in friend.heard if isinstance(one, DecisionRequest)]
    for question, charged in zip(questions, seat.charged_us, strict=True):
        bank += 50_000
        assert question.time_left_ms == bank // 1000
        assert question.time_limit_ms == 20_000
        bank -= charged
