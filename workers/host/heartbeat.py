"""The main process of a match host: sends its heartbeat, and takes messages only while it should."""

import asyncio
import logging
import os
import threading
import time
from typing import Any

from celery import bootsteps
from celery.worker import state as worker_state

from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError
from workers.host.config import HostConfig, read_config
from workers.host.fitness import Fitness
from workers.host.proof import SAMPLES, Proof, find_missing, prove_apart
from workers.host.spool import Spool
from workers.runtimes.registry import SCRIPTS
from workers.sandbox.base import Enforced, IsolationError
from workers.sandbox.choose import open_sandbox, settings_from_environment
from workers.settings import MATCHES_QUEUE

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 2.0
RETRY_SECONDS = 2.0
PROVE_SECONDS = 30.0
# By then the process that played the match has reported, or is dead.
SPOOLED_SECONDS = 15.0


class HostHeartbeat:
    """Sends heartbeats from its own thread; `may_take` says whether the host may take messages now."""

    def __init__(
        self, config: HostConfig, enforced: Enforced, slots: int, proofs: dict[str, Proof] | None = None
    ) -> None:
        self.config = config
        self.enforced = enforced
        self.slots = slots
        self.proofs = proofs or {}
        self.client = ArenaClient(config, timeout=5)
        self.fitness = Fitness(config)
        self.spool = Spool(config.spool)
        self.may_take = False
        self._reason_against = "it has not reached the arena yet"
        self._threads = [
            threading.Thread(target=self._run, name="host heartbeat", daemon=True),
            threading.Thread(target=self._prove_regularly, name="host proofs", daemon=True),
        ]

    def start(self) -> None:
        """Wait until the first heartbeat is answered, then continue in the background."""
        while not self._send():
            time.sleep(RETRY_SECONDS)
        for thread in self._threads:
            thread.start()

    def state(self) -> dict[str, Any]:
        trouble = self.fitness.trouble()
        return {
            "sandbox": self.enforced.kind,
            "limits": str(self.enforced)[:1000],
            "degraded": self.enforced.degraded,
            "slots": self.slots,
            "busy": len(worker_state.active_requests),
            "load": os.getloadavg()[0],
            "free_bytes": self.fitness.free_bytes(),
            "trouble": trouble[:1000],
            "languages": {language: proof.to_data() for language, proof in self.proofs.items()},
        }

    def _run(self) -> None:
        while True:
            time.sleep(HEARTBEAT_SECONDS)
            if self._send():
                self.spool.send_waiting(self.client, SPOOLED_SECONDS)

    def _prove_regularly(self) -> None:
        """Notice what is installed, repaired or removed while the host runs, without delaying a heartbeat."""
        while True:
            self.prove_again()
            time.sleep(PROVE_SECONDS)

    def prove_again(self) -> None:
        """Prove the languages that did not work last time, or were not tried yet."""
        missing = find_missing()
        self._note(missing)
        for language in SAMPLES:
            known = self.proofs.get(language)
            if language not in missing and not (known and known.works):
                self._note(prove_apart([language]))

    def _note(self, proofs: dict[str, Proof]) -> None:
        changed = {
            language: proof for language, proof in proofs.items() if proof != self.proofs.get(language)
        }
        self.proofs = {**self.proofs, **changed}
        say_what_plays(changed)

    def _send(self) -> bool:
        try:
            state = self.state()
            assignment = self.client.send_host_heartbeat(state)
        except (ArenaError, ArenaRefusedError, OSError) as error:
            # It could not claim what it takes now, while other hosts could.
            self._decide(f"the arena cannot be reached: {error}")
            return False
        self._decide(state["trouble"] or ("paused by staff" if assignment["paused"] else ""))
        return True

    def _decide(self, reason_against: str) -> None:
        """Take messages or not from now on; log it if that has changed."""
        if reason_against != self._reason_against:
            log.warning("this host takes no matches: %s", reason_against) if reason_against else log.info(
                "this host takes matches"
            )
        self._reason_against = reason_against
        self.may_take = not reason_against


class TakeOnlyWhenFit(bootsteps.StartStopStep):
    """Stops taking messages while the host is paused or unfit; running matches are finished."""

    requires = ("celery.worker.consumer.tasks:Tasks",)
    heartbeat: HostHeartbeat | None = None

    def start(self, parent: Any) -> None:
        self.takes = True  # a new consumer takes messages
        self.timer = parent.timer.call_repeatedly(0.5, self.look, (parent,))

    def stop(self, parent: Any) -> None:  # noqa: ARG002  as Celery calls it
        if getattr(self, "timer", None):
            self.timer.cancel()

    def look(self, consumer: Any) -> None:
        wanted = self.heartbeat is None or self.heartbeat.may_take
        if wanted == self.takes or consumer.task_consumer is None:
            return
        if wanted:
            consumer.add_task_queue(MATCHES_QUEUE)
        else:
            consumer.cancel_task_queue(MATCHES_QUEUE)
        self.takes = wanted


def prepare_host(slots: int) -> None:
    """Find out what this host can enforce and play, and tell the arena, before taking any message.

    What it cannot play without ends the host with one sentence: Celery logs other errors of this and goes on.

    Compiled languages take longer to prove, so that is done once the host is at work.
    """
    config = read_config()
    config.create_folders()
    enforced = asyncio.run(find_enforced())
    missing = find_missing()
    proofs = {**prove_apart([language for language in SCRIPTS if language not in missing]), **missing}
    say_what_plays(proofs)
    TakeOnlyWhenFit.heartbeat = HostHeartbeat(config, enforced, slots, proofs)
    TakeOnlyWhenFit.heartbeat.start()


async def find_enforced() -> Enforced:
    try:
        sandbox = await open_sandbox(settings_from_environment())
    except IsolationError as error:
        raise SystemExit(str(error)) from None
    await sandbox.close()
    return sandbox.enforced


def say_what_plays(proofs: dict[str, Proof]) -> None:
    """Log which bots can play here, and as errors those that should be able to and cannot."""
    if works := [language for language, proof in proofs.items() if proof.works]:
        log.info("bots in %s can play here", ", ".join(works))
    for language, proof in proofs.items():
        if proof.missing:
            log.info("%s bots cannot be built here: %s", language, proof.trouble)
        elif not proof.works:
            log.error("%s BOTS CANNOT PLAY ON THIS HOST: %s", language.upper(), proof.trouble)
