"""Keeps the lease on an attempt: work continues while heartbeats are answered, and stops when it is lost."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError, AttemptClaim

log = logging.getLogger(__name__)
T = TypeVar("T")
LOOK_SECONDS = 0.5


class AbandonedError(Exception):
    """The attempt is no longer ours, so there is nothing to report."""


class DrainedError(Exception):
    """This host is stopping and the work was not finished in time, so it is given back."""


class Lease:
    """The heartbeats of one attempt. Time counts from the last one answered, on the monotonic clock."""

    def __init__(
        self,
        client: ArenaClient,
        claim: AttemptClaim,
        lease_seconds: float,
        beat_seconds: float,
        is_drained: Callable[[], bool],
    ) -> None:
        self.client = client
        self.claim = claim
        self.lease_seconds = lease_seconds
        self.beat_seconds = beat_seconds
        self.is_drained = is_drained
        self._held_since = time.monotonic()
        self._next_beat = self._held_since + beat_seconds

    async def keep(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work while the attempt is ours; else cancel it and raise AbandonedError or DrainedError."""
        working = asyncio.ensure_future(work)
        holding = asyncio.ensure_future(self._beat())
        try:
            await asyncio.wait({working, holding}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
        finally:
            for task in (working, holding):
                task.cancel()
            await asyncio.wait({working, holding})
        holding.result()  # raises why
        raise AssertionError("a lease ends with a reason")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.is_drained():
                raise DrainedError("the match host is stopping")
            if time.monotonic() >= self._next_beat:
                await self._beat_once()

    async def _beat_once(self) -> None:
        asked_at = time.monotonic()
        self._next_beat = asked_at + self.beat_seconds
        try:
            ours = await asyncio.to_thread(self.client.beat, self.claim)
        except ArenaError as error:
            if time.monotonic() - self._held_since > self.lease_seconds:
                raise AbandonedError(f"the lease is over and {error}") from error
            log.warning("a heartbeat was not answered: %s", error)
            return
        except ArenaRefusedError as error:
            raise AbandonedError(str(error)) from error
        if not ours:
            raise AbandonedError("it took too long, or the arena gave it to another host or voided it")
        self._held_since = asked_at
