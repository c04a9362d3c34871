"""A seat's clock, and a meter for the host's own stalls, which no seat is charged for."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from proto.messages import Clocks

Microseconds = int
SIGNIFICANT_BITS: Final = 6


def rounded(us: Microseconds) -> Microseconds:
    """Return a time rounded down to six significant bits: at most 3 percent less, and small to store."""
    shift = max(us.bit_length() - SIGNIFICANT_BITS, 0)
    return us >> shift << shift


class SeatClock:
    """A time bank with an increment per decision and a cap on each. Pure: it is told what to charge."""

    def __init__(self, clocks: Clocks) -> None:
        self.bank: Microseconds = clocks.bank_ms * 1000
        self._increment = clocks.increment_ms * 1000
        self._cap = clocks.decision_ms * 1000

    def begin_decision(self) -> Microseconds:
        """Add the increment; return how long the decision may take."""
        self.bank += self._increment
        return min(self.bank, self._cap)

    def charge(self, used: Microseconds) -> None:
        """Charge what a decision used; the bank never goes below zero."""
        self.bank = max(0, self.bank - used)


class StallMeter:
    """How long this process has kept its own event loop waiting, in seconds since the meter started.

    A timer that should fire every few milliseconds fires late when the loop is blocked: by the host's own
    work, by another process on the CPU, by a paused machine. While the loop is blocked no answer can be
    received, so this time is not charged to any bot. Timers are always a little late; that much, and part of
    one interval, is all that a stall can cost a bot.
    """

    INTERVAL: Final = 0.005
    USUAL: Final = 0.001

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._past = 0.0
        self._due = now() + self.INTERVAL
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure, in the running event loop."""
        self._due = self._now() + self.INTERVAL
        self._timer = asyncio.get_running_loop().call_later(self.INTERVAL, self.tick)

    def stop(self) -> None:
        """Stop measuring."""
        if self._timer:
            self._timer.cancel()

    def stalled(self) -> float:
        """Return the sum of all stalls, including one that is going on now."""
        late = self._now() - self._due - self.USUAL
        return self._past + late if late > 0 else self._past

    def tick(self) -> None:
        """Note how late the timer fired, and set the next one."""
        self._past = self.stalled()
        self.start()


class Countdown:
    """Time that runs against a limit, not counting the host's stalls; calls `on_out` when it is used up."""

    __slots__ = ("_limit", "_loop", "_meter", "_on_out", "_stalled_before", "_started", "_timer")

    def __init__(self, limit: Microseconds, meter: StallMeter, on_out: Callable[[], None]) -> None:
        self._limit = limit
        self._meter = meter
        self._on_out = on_out
        self._stalled_before = meter.stalled()
        self._started = time.monotonic()
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(limit / 1e6, self._fired)

    def stop(self) -> tuple[Microseconds, Microseconds]:
        """Stop the clock; return the time that passed, and the part of it that is charged."""
        self._timer.cancel()
        return self._read()

    def _read(self) -> tuple[Microseconds, Microseconds]:
        wall = time.monotonic() - self._started
        stalled = self._meter.stalled() - self._stalled_before
        return int(wall * 1e6), int(max(0.0, wall - stalled) * 1e6)

    def _fired(self) -> None:
        left = self._limit - self._read()[1]
        if left > 0:  # the host stalled meanwhile, or the loop's own clock is coarse
            self._timer = self._loop.call_later(max(left / 1e6, 0.001), self._fired)
        else:
            self._on_out()
