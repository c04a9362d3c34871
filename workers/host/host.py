"""One process of a match host, which takes one attempt after another."""

import asyncio
import logging
import secrets
import time
import traceback
from collections.abc import Callable
from typing import Any

from workers import tracing
from workers.host import work
from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError, AttemptClaim
from workers.host.assignment import Assignment
from workers.host.cache import BotCache, CacheError
from workers.host.config import HostConfig
from workers.host.fitness import Fitness
from workers.host.lease import AbandonedError, DrainedError, Lease
from workers.host.play_worlds import play_worlds
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
    """What is kept between attempts: the sandbox, the cache, the connections to the arena."""

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
        self.heartbeat = ArenaClient(config, timeout=5)
        self.live = ArenaClient(config, timeout=5)
        self.cache = BotCache(config.bots, config.cache_bytes, self._fetch)
        self.spool = Spool(config.spool)
        self.fitness = Fitness(config)
        self.is_broken = False
        """Whether its sandbox has failed; then a new one is opened before the next attempt."""

    async def run(self, attempt_id: int, token: str) -> None:
        """Try an attempt, if it is still available. Whatever happens, the arena is told or finds out."""
        if reason := self.fitness.trouble():
            log.warning("attempt %s is left to others: %s", attempt_id, reason)
            return
        claim = AttemptClaim(attempt_id, token, secrets.token_urlsafe(32))
        began = time.time()
        assignment = await self._claim(claim)
        if assignment is None:
            return
        if assignment.match:
            with tracing.span("claim", assignment.match.match_id, began, host=self.config.name):
                pass  # only now is it known which match it is
        lease = Lease(
            self.heartbeat, claim, assignment.lease_seconds, assignment.beat_seconds, self.is_drained
        )
        try:
            await lease.keep(self._work_and_report(claim, assignment))
            self.fitness.note_success()
        except AbandonedError as error:
            log.warning("attempt %s is abandoned: %s", attempt_id, error)
        except DrainedError as error:
            await self._give_back(claim, str(error), host_at_fault=False)
        except HOST_TROUBLE as error:
            self.is_broken = isinstance(error, SandboxError)
            self.fitness.note_trouble(f"{type(error).__name__}: {error}")
            await self._give_back(claim, f"{type(error).__name__}: {error}", host_at_fault=True)
        except Exception:  # a bug of ours is the host's fault too, never a bot's
            log.exception("attempt %s failed", attempt_id)
            await self._give_back(claim, traceback.format_exc(limit=-5), host_at_fault=True)

    def _fetch(self, path: str) -> tuple[bytes, str]:
        """Fetch a file of the arena, with retries in case it is being restarted. Runs in a thread."""
        for _ in range(FETCH_TRIES):
            try:
                return self.client.fetch(path)
            except ArenaError as error:
                log.warning("an archive cannot be fetched yet: %s", error)
                time.sleep(1)
        return self.client.fetch(path)

    async def close(self) -> None:
        await self.sandbox.close()
        for client in (self.client, self.heartbeat, self.live):
            client.close()

    async def _claim(self, claim: AttemptClaim) -> Assignment | None:
        """Claim; if the answer is lost, ask again with the same key, which counts once."""
        for tried in range(CLAIM_TRIES):
            try:
                return await asyncio.to_thread(self.client.claim, claim)
            except ArenaRefusedError as error:
                log.info("attempt %s is not for this host: %s", claim.attempt_id, error)
                return None
            except ArenaError as error:
                log.warning("attempt %s cannot be claimed: %s", claim.attempt_id, error)
                await asyncio.sleep(2**tried)
        return None  # the arena will send another wake-up

    async def _work_and_report(self, claim: AttemptClaim, assignment: Assignment) -> None:
        with concerning(**({"match": assignment.match.match_id} if assignment.match else {})):
            match_id = assignment.match.match_id if assignment.match else ""
            with tracing.span("match", match_id, host=self.config.name):
                report = await self._work(claim, assignment)
            self.spool.put(claim, report)
            with tracing.span("report", match_id, host=self.config.name):
                await self._report(claim, report)

    async def _work(self, claim: AttemptClaim, assignment: Assignment) -> dict[str, Any]:
        began = time.monotonic()
        if assignment.worlds:
            report = await play_worlds(assignment.worlds, self.sandbox, self.cache, self.cpus)
            log.info("played %d games on in %.1f s", len(report["games"]), time.monotonic() - began)
            return report
        if assignment.match is None:
            report = await work.build(assignment.bots[0], self.sandbox, self.cache)
            log.info("built %s in %.1f s", assignment.bots[0].name, time.monotonic() - began)
            return report
        spectators = Spectators(self.live, claim)
        report = await work.play(
            assignment.match, assignment.bots, self.sandbox, self.cache, spectators, self.cpus
        )
        faults = [
            f"; seat {seat}: {one['fault']['kind']}"
            for seat, one in enumerate(report["seats"])
            if one["fault"]
        ]
        seconds = time.monotonic() - began
        log.info("played match %s in %.1f s%s", assignment.match.match_id, seconds, "".join(faults))
        return report

    async def _report(self, claim: AttemptClaim, report: Any) -> None:
        """Report until there is a definite answer, or the lease ends because the arena is away for too long.

        Then the report stays in the spool; the arena may still accept it later.
        """
        pause = REPORT_PAUSE
        while True:
            try:
                await asyncio.to_thread(self.spool.send, self.client, claim, report)
                return
            except ArenaError as error:
                log.warning("attempt %s cannot be reported yet: %s", claim.attempt_id, error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_REPORT_PAUSE)

    async def _give_back(self, claim: AttemptClaim, note: str, host_at_fault: bool) -> None:
        log.warning("attempt %s is given back: %s", claim.attempt_id, note)
        try:
            await asyncio.to_thread(self.client.give_back, claim, note, host_at_fault)
        except (ArenaError, ArenaRefusedError) as error:
            log.warning("attempt %s could not be given back: %s", claim.attempt_id, error)
