"""Tables with people: one process of a match host plays all of its tables, since they mostly wait.

They take no slot of the queue `matches`. The host starts `python -m workers.host.table_host PARENT`, naming
its own process, which this one never outlives.
"""

import asyncio
import json
import logging
import secrets
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any, Final

import uvloop

from workers import env, logs
from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError, AttemptClaim
from workers.host.cache import BotCache
from workers.host.config import HostConfig, number_of_tables, read_config
from workers.host.spectators import Spectators
from workers.host.spool import Spool
from workers.host.table_data import Answer, TableAssignment, read_answer, read_news, read_table
from workers.host.work import launcher, open_bot
from workers.match.clock import StallMeter
from workers.match.runner import Sitting, play_match
from workers.match.seat import Launcher
from workers.match.strict import DataError
from workers.polling import MATCH_HOST, prepare_grpc
from workers.sandbox.base import Sandbox, open_run_folder
from workers.tether import tether

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 3.0
RETRY_SECONDS: Final = 1.0


class OpenTable:
    """One table that this process plays."""

    def __init__(self, host: "TableHost", claim: AttemptClaim) -> None:
        self.host = host
        self.claim = claim
        self.client = ArenaClient(host.config)
        self.table: TableAssignment | None = None
        self._stood_in: list[int] = []
        self._telling: asyncio.Future[None] | None = None
        self._recording = asyncio.Lock()
        self.task = asyncio.create_task(self._run())
        self.task.add_done_callback(lambda _: host.tables.pop(claim.attempt_id, None))

    def answer(self, seat: int, step: int, action: int) -> None:
        """Pass on what somebody at this table has decided."""
        if self.table and seat in self.table.people:
            self.table.people[seat].answer(step, action)

    async def _run(self) -> None:
        attempt = self.claim.attempt_id
        try:
            self.table = read_table(await asyncio.to_thread(self.client.claim_table, self.claim))
            report = await self._play(self.table)
            self.host.spool.put(self.claim, report)
            await self._until_answered(lambda: self.host.spool.send(self.client, self.claim, report))
            log.info("table %s is finished", attempt)
        except ArenaRefusedError as error:
            log.info("table %s is not for this host: %s", attempt, error)
        except asyncio.CancelledError:
            await self._give_back("the match host is stopping", host_at_fault=False)
            raise
        except Exception as error:  # a bug of ours is the host's fault too, never a person's
            log.exception("table %s failed", attempt)
            note = str(error) if isinstance(error, ArenaError) else traceback.format_exc(limit=-5)
            await self._give_back(note, host_at_fault=True)
        finally:
            self.client.close()

    async def _give_back(self, note: str, host_at_fault: bool) -> None:
        with suppress(ArenaError, ArenaRefusedError):
            await asyncio.shield(
                asyncio.to_thread(ArenaClient(self.host.config).give_back, self.claim, note, host_at_fault)
            )

    async def _play(self, table: TableAssignment) -> dict[str, Any]:
        spec = table.spec
        cache = BotCache(self.host.config.bots, self.host.config.cache_bytes, self.client.fetch)
        spectators = Spectators(ArenaClient(self.host.config, timeout=5), self.claim)
        with ExitStack() as held:
            launchers = [await self._launcher(held, cache, bot) for bot in table.bots]
            stand_ins = {seat: launchers[seat] for seat in table.people}
            if table.actions and table.stand_in:
                spare = await self._launcher(held, cache, table.stand_in)
                stand_ins = dict.fromkeys(range(spec.seats), spare) | stand_ins
            folder = open_run_folder()
            held.callback(shutil.rmtree, folder, ignore_errors=True)
            sitting = Sitting(table.actions, stand_ins, self._record, self._note_stand_in, self.host.meter)
            players = [table.people.get(seat, launch) for seat, launch in enumerate(launchers)]
            sending = asyncio.ensure_future(spectators.send_regularly())
            try:
                report = await play_match(
                    spec, players, folder=folder, on_frame=spectators.show, sitting=sitting
                )
            finally:
                sending.cancel()
            await spectators.finish()
        return report.to_data()

    async def _launcher(self, held: ExitStack, cache: BotCache, bot: Any) -> Launcher:
        return launcher(self.host.sandbox, await asyncio.to_thread(open_bot, held, cache, bot), None)

    def _note_stand_in(self, seat: int) -> None:
        """Have the table told at once that a bot could not go on; somebody else may think for minutes now."""
        self._stood_in.append(seat)
        if self.table and seat not in self.table.people:
            self._telling = asyncio.ensure_future(self._tell_stand_ins(len(self.table.actions)))

    async def _tell_stand_ins(self, step: int) -> None:
        with suppress(ArenaRefusedError):  # by now it was recorded with an action, or the table is not ours
            await self._record(step, [])

    async def _record(self, step: int, actions: Sequence[int]) -> None:
        """Have actions recorded before anybody is asked again, so that a host's death loses none."""
        people = self.table.people if self.table else {}
        resigned = [
            [seat, person.seat.fault.step]
            for seat, person in people.items()
            if person.seat and person.seat.fault and seat not in self._stood_in
        ]
        played = {
            "step": step,
            "actions": list(actions),
            "stood_in": list(self._stood_in),
            "resigned": resigned,
        }
        async with self._recording:  # one connection, one call at a time
            await self._until_answered(lambda: self.client.record_actions(self.claim, played))

    async def _until_answered(self, call: Any) -> None:
        while True:
            try:
                return await asyncio.to_thread(call)
            except ArenaError as error:
                log.warning("table %s: the arena does not answer: %s", self.claim.attempt_id, error)
            await asyncio.sleep(RETRY_SECONDS)


class TableHost:
    """All tables of one match host."""

    def __init__(self, config: HostConfig, sandbox: Sandbox, most: int) -> None:
        self.config = config
        self.sandbox = sandbox
        self.most = most
        self.meter = StallMeter()
        self.spool = Spool(config.spool)
        self.client = ArenaClient(config, timeout=5)
        self.tables: dict[int, OpenTable] = {}
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

    async def run(self) -> None:
        """Play tables until this task is cancelled; then give them back."""
        self.meter.start()
        threading.Thread(target=self._follow, name="table news", daemon=True).start()
        try:
            while True:
                await self._beat()
                self._news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), BEAT_SECONDS)
        finally:
            self._is_closed = True
            await self._stop(list(self.tables.values()))
            self.meter.stop()

    async def _stop(self, tables: list[OpenTable]) -> None:
        for table in tables:
            table.task.cancel()
        await asyncio.gather(*(table.task for table in tables), return_exceptions=True)

    async def _beat(self) -> None:
        claims = [table.claim for table in self.tables.values()]
        room = max(0, self.most - len(claims))
        try:
            news = read_news(await asyncio.to_thread(self.client.beat_tables, room, claims))
        except (ArenaError, ArenaRefusedError, DataError) as error:
            log.warning("the tables' heartbeat failed: %s", error)
            return
        for attempt in news.lost:
            if table := self.tables.get(attempt):
                log.warning("table %s is no longer ours", attempt)
                await self._stop([table])
        for attempt, token in news.waiting[:room]:
            if attempt not in self.tables:
                claim = AttemptClaim(attempt, token, secrets.token_urlsafe(32))
                self.tables[attempt] = OpenTable(self, claim)
        for answer in news.answers:
            self._pass_on(answer)

    def _pass_on(self, answer: Answer) -> None:
        if table := self.tables.get(answer[0]):
            table.answer(*answer[1:])

    def _follow(self) -> None:
        """Hear what happens at tables as soon as it does. Runs in a thread; heartbeats tell it again."""
        client = ArenaClient(self.config, timeout=30)
        while not self._is_closed:
            try:
                for line in client.follow_tables():
                    self._loop.call_soon_threadsafe(self._hear, line)
            except (ArenaError, RuntimeError) as error:
                log.debug("no news of tables: %s", error)
            time.sleep(RETRY_SECONDS)

    def _hear(self, line: bytes) -> None:
        try:
            data = json.loads(line)
            if isinstance(data, list):
                self._pass_on(read_answer(data, "news"))
            elif data == {"new": True}:
                self._news.set()
        except (ValueError, DataError) as error:
            log.warning("news of a table cannot be understood: %s", error)


async def main() -> None:
    from workers.sandbox.choose import open_sandbox, settings_from_environment

    prepare_grpc(MATCH_HOST)
    config = read_config()
    config.create_folders()
    sandbox = await open_sandbox(settings_from_environment())
    host = TableHost(config, sandbox, number_of_tables())
    running = asyncio.ensure_future(host.run())
    for one in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(one, running.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await running
    finally:
        await sandbox.close()


if __name__ == "__main__":
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logs.formatter())
    logging.basicConfig(level=env.level("ARENA_LOG_LEVEL"), handlers=[handler])
    tether(int(sys.argv[1]), signal.SIGTERM)
    uvloop.run(main())
