"""One process of a match host: takes attempts one after another."""

import asyncio
import logging
import secrets
import time
import traceback
from collections.abc import Callable
from typing import Any

from workers.host import work
from workers.host.cache import BotCache, CacheError
from workers.host.client import ArenaClient, ArenaError, Hold, RefusedError
from workers.host.config import HostConfig
from workers.host.fitness import Fitness
from workers.host.lease import AbandonedError, DrainedError, Lease
from workers.host.orders import Orders
from workers.host.spectators import Spectators
from workers.host.spool import Spool
from workers.logs import concerning
from workers.runtimes.base import RuntimeMissingError
from workers.sandbox.base import Sandbox, SandboxError

log = logging.getLogger(__name__)

CLAIM_TRIES = 3
FETCH_TRIES = 4
REPORT_PAUSE = 0.5
LONGEST_REPORT_PAUSE = 5.0
HOST_TROUBLE = (CacheError, SandboxError, RuntimeMissingError, ArenaError, OSError)


class MatchHost:
    """Holds what is kept between attempts: the sandbox, the cache, the connections to the arena."""

    def __init__(
        self,
        config: HostConfig,
        sandbox: Sandbox,
        is_drained: Callable[[], bool] = lambda: False,
        cpus: frozenset[int] | None = None,
    ) -> None:
        self.config = config
        self.sandbox = sandbox
        self.is_drained = is_drained
        self.cpus = cpus
        self.client = ArenaClient(config)
        self.beats = ArenaClient(config, timeout=5)
        self.live = ArenaClient(config, timeout=5)
        self.cache = BotCache(config.bots, config.cache_bytes, self._fetch)
        self.spool = Spool(config.spool)
        self.fitness = Fitness(config)
        self.is_broken = False
        """Whether its sandbox has failed: then a new one is opened before the next attempt."""

    async def run(self, attempt_id: int, token: str) -> None:
        """Try an attempt, if it is still to be had. Whatever happens, the arena hears of it or finds out."""
        if reason := self.fitness.trouble():
            log.warning("attempt %s is left to others: %s", attempt_id, reason)
            return
        hold = Hold(attempt_id, token, secrets.token_urlsafe(32))
        orders = await self._claim(hold)
        if orders is None:
            return
        lease = Lease(self.beats, hold, orders.lease_seconds, orders.beat_seconds, self.is_drained)
        try:
            await lease.keep(self._work_and_report(hold, orders))
            self.fitness.note_success()
        except AbandonedError as error:
            log.warning("attempt %s is abandoned: %s", attempt_id, error)
        except DrainedError as error:
            await self._give_back(hold, str(error), host_at_fault=False)
        except HOST_TROUBLE as error:
            self.is_broken = isinstance(error, SandboxError)
            self.fitness.note_trouble(f"{type(error).__name__}: {error}")
            await self._give_back(hold, f"{type(error).__name__}: {error}", host_at_fault=True)
        except Exception:  # a fault in our own code is the host's too, never a bot's
            log.exception("attempt %s failed", attempt_id)
            await self._give_back(hold, traceback.format_exc(limit=-5), host_at_fault=True)

    def _fetch(self, path: str) -> tuple[bytes, str]:
        """Fetch a file of the arena's, with patience for one that is being restarted. Runs in a thread."""
        for _ in range(FETCH_TRIES):
            try:
                return self.client.fetch(path)
            except ArenaError as error:
                log.warning("an archive cannot be fetched yet: %s", error)
                time.sleep(1)
        return self.client.fetch(path)

    async def close(self) -> None:
        await self.sandbox.close()
        for client in (self.client, self.beats, self.live):
            client.close()

    async def _claim(self, hold: Hold) -> Orders | None:
        """Claim, and ask again with the same key where the answer is lost: it counts once."""
        for tried in range(CLAIM_TRIES):
            try:
                return await asyncio.to_thread(self.client.claim, hold)
            except RefusedError as error:
                log.info("attempt %s is not for this host: %s", hold.attempt_id, error)
                return None
            except ArenaError as error:
                log.warning("attempt %s cannot be claimed: %s", hold.attempt_id, error)
                await asyncio.sleep(2**tried)
        return None  # the arena wakes somebody again

    async def _work_and_report(self, hold: Hold, orders: Orders) -> None:
        with concerning(**({"match": orders.match.match_id} if orders.match else {})):
            report = await self._work(hold, orders)
            self.spool.put(hold, report)
            await self._report(hold, report)

    async def _work(self, hold: Hold, orders: Orders) -> dict[str, Any]:
        began = time.monotonic()
        if orders.match is None:
            report = await work.build(orders.bots[0], self.sandbox, self.cache)
            log.info("built %s in %.1f s", orders.bots[0].name, time.monotonic() - began)
            return report
        spectators = Spectators(self.live, hold)
        report = await work.play(orders.match, orders.bots, self.sandbox, self.cache, spectators, self.cpus)
        faults = [
            f"; seat {seat}: {one['fault']['kind']}"
            for seat, one in enumerate(report["seats"])
            if one["fault"]
        ]
        seconds = time.monotonic() - began
        log.info("played match %s in %.1f s%s", orders.match.match_id, seconds, "".join(faults))
        return report

    async def _report(self, hold: Hold, report: Any) -> None:
        """Report until the answer is definite; the lease ends this where the arena is away for longer.

        Then the report stays in the spool. The arena may still take it, if it was away and noticed nothing.
        """
        pause = REPORT_PAUSE
        while True:
            try:
                await asyncio.to_thread(self.spool.send, self.client, hold, report)
                return
            except ArenaError as error:
                log.warning("attempt %s cannot be reported yet: %s", hold.attempt_id, error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_REPORT_PAUSE)

    async def _give_back(self, hold: Hold, note: str, host_at_fault: bool) -> None:
        log.warning("attempt %s is given back: %s", hold.attempt_id, note)
        try:
            await asyncio.to_thread(self.client.give_back, hold, note, host_at_fault)
        except (ArenaError, RefusedError) as error:
            log.warning("attempt %s could not be given back: %s", hold.attempt_id, error)
