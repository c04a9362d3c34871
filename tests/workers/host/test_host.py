"""Leases, the spool and the fitness of a host; the whole of it is tested in tests/faults."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError, AttemptClaim
from workers.host.assignment import read_assignment
from workers.host.config import HostConfig
from workers.host.fitness import FIRST_REST, Fitness
from workers.host.lease import AbandonedError, DrainedError, Lease
from workers.host.spool import Spool
from workers.match.strict import DataError

HOLD = AttemptClaim(7, "token", "k" * 40)
ROOT = Path(__file__).parents[3]


class FakeArena(ArenaClient):
    """Answers as told, without a network: one answer or error a call, the last one for ever."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.calls = 0

    def answer(self) -> Any:
        self.calls += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def beat(self, claim: AttemptClaim) -> bool:
        return bool(self.answer())

    def report(self, claim: AttemptClaim, report: Any) -> None:
        self.answer()


def lease(arena: FakeArena, lease_seconds: float = 60, drained: bool = False) -> Lease:
    return Lease(arena, HOLD, lease_seconds, 0.01, lambda: drained)


async def test_work_is_done_under_a_lease_and_its_result_returned() -> None:
    assert await lease(FakeArena(True)).keep(asyncio.sleep(0, "done")) == "done"


async def test_work_stops_when_the_arena_says_abandon() -> None:
    stopped = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    with pytest.raises(AbandonedError, match="another host"):
        await lease(FakeArena(True, False)).keep(work())
    assert stopped.is_set()


async def test_an_arena_that_is_away_for_a_moment_stops_nothing() -> None:
    arena = FakeArena(ArenaError("away"), True)

    async def work() -> str:
        while arena.calls < 2:  # noqa: ASYNC110  the beats are counted elsewhere
            await asyncio.sleep(0.01)
        return "done"

    assert await lease(arena).keep(work()) == "done"


async def test_an_arena_that_is_away_for_longer_than_the_lease_ends_the_work() -> None:
    with pytest.raises(AbandonedError, match="lease is over"):
        await lease(FakeArena(ArenaError("away")), lease_seconds=0.1).keep(asyncio.sleep(60))


async def test_a_stopping_host_gives_up_its_work() -> None:
    with pytest.raises(DrainedError):
        await lease(FakeArena(True), drained=True).keep(asyncio.sleep(60))


async def test_what_the_work_raises_comes_through() -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await lease(FakeArena(True)).keep(fail())


def test_a_spooled_report_outlives_its_process_and_goes_once_it_has_an_answer(tmp_path: Path) -> None:
    Spool(tmp_path).put(HOLD, {"a": 1})
    spool = Spool(tmp_path)
    spool.send_waiting(FakeArena(ArenaError("away")), older_than=0)
    assert list(spool.waiting(0)) == [(HOLD, {"a": 1})]
    spool.send_waiting(FakeArena(None), older_than=0)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_report_is_forgotten(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.put(HOLD, {})
    spool.send_waiting(FakeArena(ArenaRefusedError("too late")), older_than=0)
    assert list(tmp_path.iterdir()) == []


def test_a_spooled_report_is_for_this_host_alone_and_a_broken_file_is_put_aside(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.put(HOLD, {})
    assert (tmp_path / "7.json").stat().st_mode & 0o077 == 0
    (tmp_path / "8.json").write_text("{")
    assert [claim for claim, _ in spool.waiting(0)] == [HOLD]
    assert (tmp_path / "8.unreadable").exists()


@pytest.fixture
def config(tmp_path: Path) -> HostConfig:
    config = HostConfig("http://arena", "key", "alpha", tmp_path, 1000, 0, 1, False)
    config.create_folders()
    return config


def test_a_host_rests_after_trouble_longer_each_time_until_something_goes_well(config: HostConfig) -> None:
    fitness = Fitness(config)
    assert fitness.trouble() == ""
    rests = []
    for _ in range(3):
        fitness.note_trouble("no sandbox")
        rests.append(json.loads(fitness.file.read_text())[1])
    assert fitness.trouble() == "no sandbox"
    assert rests == [FIRST_REST, FIRST_REST * 2, FIRST_REST * 4]
    fitness.note_success()
    assert fitness.trouble() == ""


def test_a_full_or_missing_disk_is_trouble(config: HostConfig) -> None:
    full = HostConfig("http://arena", "key", "alpha", config.folder, 1000, 10**18, 1, False)
    assert "full" in Fitness(full).trouble()
    gone = HostConfig("http://arena", "key", "alpha", Path("/nowhere/at/all"), 1000, 0, 1, False)
    assert "is not there" in Fitness(gone).trouble()


@pytest.mark.parametrize("key", ["../../etc/passwd", "x-1", "a" * 64 + "-x", "b" * 64 + "-1"])
def test_orders_never_name_a_path(key: str) -> None:
    bot = {
        "name": "bot", "sha256": "a" * 64, "source": "/s", "built": "/b", "built_key": key,
        "runtime": "python", "entry": "main.py",
    }  # fmt: skip
    with pytest.raises(DataError, match="built_key"):
        read_assignment({"lease_seconds": 20, "beat_seconds": 5, "match": None, "bots": [bot]})


def test_a_match_host_loads_no_django_though_its_variable_is_set() -> None:
    code = (
        "import sys, workers.app as w; w.app.loader.import_default_modules(); print('arena' in sys.modules)"
    )
    known = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings", "REDIS_URL": "redis://localhost/0"}
    done = subprocess.run([sys.executable, "-c", code], env=known, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
