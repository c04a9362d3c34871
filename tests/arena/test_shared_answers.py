"""Answers that are for everybody are made once; what is for one visitor is made for that one."""

import asyncio
from typing import Any

import pytest
from pytest_django import Settings

from arena import redis_client as redis
from arena.shared_answers import share_answers
from arena.turns import Turns
from tests.arena.test_turns import Visit

pytestmark = pytest.mark.usefixtures("redis")


class Counted:
    """An application that notes each answer it makes."""

    def __init__(self, *headers: tuple[bytes, bytes], status: int = 200, content: bytes = b"for all") -> None:
        self.made: list[str] = []
        self.start = {"type": "http.response.start", "status": status, "headers": list(headers)}
        self.content = content
        self.shared = Turns(share_answers(self.answer))

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        self.made.append(scope["path"])
        await asyncio.sleep(0)
        await send(self.start)
        for part in (self.content[:3], self.content[3:]):
            await send({"type": "http.response.body", "body": part, "more_body": part == self.content[:3]})
        listening = asyncio.create_task(receive())  # as Django asks whether the visitor has gone away
        await asyncio.sleep(0)
        listening.cancel()

    async def visit(self, path: str, **headers: str) -> Visit:
        visit = Visit(self.shared, path, **headers)
        await visit.over()
        return visit


@pytest.fixture(autouse=True)
def long_shared(settings: Settings) -> None:
    settings.SHARED_SECONDS = 300


async def test_everybody_is_given_the_answer_that_was_made_for_the_first() -> None:
    app = Counted((b"content-type", b"text/plain"), (b"vary", b"Cookie"))
    first, second = await app.visit("/bots/"), await app.visit("/bots/")
    assert app.made == ["/bots/"]
    assert first.content == second.content == b"for all"
    assert first.headers == second.headers


async def test_a_crowd_that_asks_at_once_has_it_made_by_as_many_as_there_are_threads(
    settings: Settings,
) -> None:
    settings.WEB_THREADS = 2
    app = Counted()
    visits = await asyncio.gather(*(app.visit("/bots/") for _ in range(20)))
    assert {visit.content for visit in visits} == {b"for all"}
    assert {visit.status for visit in visits} == {200}
    assert len(app.made) <= 2


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/bots/", {"cookie": "sessionid=abc"}),
        ("/api/v1/bots", {"authorization": "Bearer aztlan_x"}),
        ("/bots/", {"hx_request": "true"}),
        ("/accounts/sign-up", {}),
        ("/nowhere", {}),
    ],
)
async def test_what_is_for_one_is_made_for_one(path: str, headers: dict[str, str]) -> None:
    app = Counted()
    for _ in range(2):
        await app.visit(path, **headers)
    assert len(app.made) == 2


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/bots/?q=jaguar", {}), ("/bots/", {"accept_language": "de"}), ("/bots/", {"host": "127.0.0.1"})],
)
async def test_other_addresses_languages_and_hosts_have_answers_of_their_own(
    path: str, headers: dict[str, str]
) -> None:
    app = Counted()
    await app.visit("/bots/")
    await app.visit(path, **headers)
    assert len(app.made) == 2


@pytest.mark.parametrize(
    "app",
    [
        Counted((b"Set-Cookie", b"a=b")),
        Counted((b"Cache-Control", b"private, no-store")),
        Counted(status=404),
        Counted(content=b"x" * 300_000),
    ],
)
async def test_an_answer_that_is_personal_wrong_or_large_is_not_shared(app: Counted) -> None:
    app.shared = Turns(share_answers(app.answer))
    app.made.clear()
    for _ in range(2):
        assert (await app.visit("/bots/")).content == app.content
    assert len(app.made) == 2


async def test_nothing_is_shared_where_that_is_off(settings: Settings) -> None:
    settings.SHARED_SECONDS = 0
    app = Counted()
    for _ in range(2):
        await app.visit("/bots/")
    assert len(app.made) == 2


async def test_without_redis_everybody_is_answered(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    monkeypatch.setattr(redis, "PATIENCE_SECONDS", 5)
    app = Counted()
    for _ in range(2):
        assert (await app.visit("/bots/")).content == b"for all"
    assert len(app.made) == 2
