from collections.abc import AsyncIterator
from typing import Any

import pytest

from arena.body_limit import HOST_LIMIT, LIMIT, limit_bodies

CHUNK = 1024 * 1024


async def ask(path: str, size: int, announced: int | None) -> tuple[int, int]:
    """Send a body of this size; return the answer's status and how many bytes the application was given."""
    given = 0
    answers: list[dict[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal given
        more = True
        while more:
            message = await receive()
            given += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def chunks() -> AsyncIterator[dict[str, Any]]:
        left = size
        while left > 0:
            part = min(CHUNK, left)
            left -= part
            yield {"type": "http.request", "body": bytes(part), "more_body": left > 0}

    async def keep(message: Any) -> None:
        answers.append(message)

    headers = [] if announced is None else [(b"content-length", str(announced).encode())]
    scope = {"type": "http", "path": path, "headers": headers}
    body = chunks()
    await limit_bodies(application)(scope, body.__anext__, keep)
    return answers[0]["status"], given


@pytest.mark.parametrize(("path", "limit"), [("/bots/jaguar/upload", LIMIT), ("/host/v1/report", HOST_LIMIT)])
async def test_a_body_within_the_limit_arrives_whole(path: str, limit: int) -> None:
    assert await ask(path, limit, limit) == (200, limit)


async def test_a_body_that_is_announced_too_large_is_never_read() -> None:
    assert await ask("/api/v1/bots", LIMIT + 1, LIMIT + 1) == (413, 0)


@pytest.mark.parametrize("announced", [None, 10])
async def test_a_body_that_grows_too_large_is_cut_off(announced: int | None) -> None:
    status, given = await ask("/api/v1/bots", LIMIT + 5 * CHUNK, announced)
    assert status == 413
    assert given <= LIMIT
