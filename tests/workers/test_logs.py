"""Lines for machines carry the ids of what they concern, and a stranger's words cannot forge a line."""

import asyncio
import json
import logging

import pytest

from workers import env, logs

log = logging.getLogger(__name__)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.handler.setFormatter(logs.JsonFormatter())
    caplog.set_level(logging.INFO)
    return caplog


def read(lines: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines.text.splitlines()]


def test_a_line_carries_the_ids_of_the_blocks_around_it(lines: pytest.LogCaptureFixture) -> None:
    with logs.concerning(attempt=7), logs.concerning(match="bcdf"):
        log.info("played")
    log.info("idle")
    inside, outside = read(lines)
    assert (inside["attempt"], inside["match"], inside["message"]) == (7, "bcdf", "played")
    assert "attempt" not in outside


async def test_tasks_and_threads_inherit_the_ids(lines: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        await asyncio.to_thread(log.info, "beaten")

    with logs.concerning(attempt=8):
        task = asyncio.ensure_future(work())
    await task
    assert [line["attempt"] for line in read(lines)] == [8]


def test_a_line_break_in_a_message_makes_no_second_line(lines: pytest.LogCaptureFixture) -> None:
    log.info("a bot said: %s", 'x\n{"level": "ERROR", "message": "forged"}')
    assert [line["level"] for line in read(lines)] == ["INFO"]


def test_an_exception_stays_in_its_line(lines: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("no")
    except ValueError:
        log.exception("failed")
    [line] = read(lines)
    assert "ValueError: no" in str(line["exception"])


def test_an_unknown_format_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_LOG_FORMAT", "xml")
    with pytest.raises(env.EnvError, match="ARENA_LOG_FORMAT must be text or json"):
        logs.formatter()
