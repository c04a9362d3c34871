"""How a web process answers many at once: in turn, in few threads, and what is for everybody only once."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from pytest_django import Settings

from arena.computing import is_computed
from arena.turns import Turns

HEADERS = {"host": "localhost"}
FRAMES = "/matches/abc/frames/{}"


class Visit:
    """One request over ASGI, and what was answered."""

    def __init__(self, app: Any, path: str, is_whole: bool = True, **headers: str) -> None:
        self.left = asyncio.Event()
        self.is_whole = is_whole
        self.is_read = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self.content = b""
        path, _, query = path.partition("?")
        pairs = [
            (name.replace("_", "-").encode(), value.encode()) for name, value in (HEADERS | headers).items()
        ]
        scope = {
            "type": "http", "method": "GET", "path": path, "query_string": query.encode(),
            "headers": pairs, "scheme": "http", "root_path": "", "http_version": "1.1",
        }  # fmt: skip
        self.task = asyncio.create_task(app(scope, self.receive, self.send))

    async def receive(self) -> dict[str, Any]:
        if not self.is_read:
            self.is_read = True
            return {"type": "http.request", "body": b"", "more_body": not self.is_whole}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.content += message["body"]

    async def over(self) -> int:
        await self.task
        return self.status


class Slow:
    """An application whose answers wait for `go`, and which leaves when the visitor does, as Django does."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.turns = Turns(self.answer)

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        message = {"more_body": True}
        while message.get("more_body"):
            message = await receive()
            if message["type"] == "http.disconnect":
                return
        self.begun.put_nowait(scope["path"])
        leaving = asyncio.create_task(receive())
        going = asyncio.create_task(self.go.wait())
        await asyncio.wait({leaving, going}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if going.done():
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"the answer"})

    def visit(self, path: str, is_whole: bool = True) -> Visit:
        return Visit(self.turns, path, is_whole)


@pytest.fixture
async def slow(settings: Settings) -> AsyncIterator[Slow]:
    settings.WEB_THREADS = 2
    application = Slow()
    yield application
    application.go.set()


async def test_only_so_many_are_answered_at_a_time_and_the_others_wait(slow: Slow) -> None:
    visits = [slow.visit("/bots/new") for _ in range(5)]
    assert [await slow.begun.get() for _ in range(2)] == ["/bots/new"] * 2
    assert slow.turns.lines.answering.locked()
    assert slow.begun.empty()
    slow.go.set()
    assert [await visit.over() for visit in visits] == [200] * 5
    assert not slow.turns.lines.answering.locked()


@pytest.mark.parametrize("path", ["/bots/new", "/api/v1/bots"])
async def test_who_would_wait_too_long_is_told_when_to_try_again(
    slow: Slow, settings: Settings, path: str
) -> None:
    working = [slow.visit("/bots/new") for _ in range(2)]
    for _ in working:
        await slow.begun.get()
    settings.LONGEST_WAIT_SECONDS = 0
    refused = slow.visit(path)
    assert (await refused.over(), refused.headers["retry-after"]) == (503, "5")
    assert b"very busy" in refused.content
    slow.go.set()
    for visit in working:
        await visit.over()
    settings.LONGEST_WAIT_SECONDS = 10
    assert await slow.visit(path).over() == 200


async def test_a_visitor_who_goes_away_keeps_the_turn_until_the_answer_is_made(slow: Slow) -> None:
    gone = [slow.visit("/bots/new") for _ in range(2)]
    for visit in gone:
        await slow.begun.get()
        visit.left.set()
    next_one = slow.visit("/bots/new")
    for _ in range(10):
        await asyncio.sleep(0)
    assert slow.turns.lines.answering.locked()
    assert slow.begun.empty()
    slow.go.set()
    assert await next_one.over() == 200


async def test_a_slow_upload_takes_up_no_turn(slow: Slow) -> None:
    uploads = [slow.visit("/bots/new", is_whole=False) for _ in range(5)]  # the rest never comes
    slow.go.set()
    assert await slow.visit("/bots/new").over() == 200
    assert all(upload.is_read for upload in uploads)
    assert not slow.turns.lines.answering.locked()
    for upload in uploads:
        upload.left.set()
        assert await upload.over() == 0


async def test_a_probe_does_not_wait(slow: Slow) -> None:
    working = [slow.visit("/bots/new") for _ in range(2)]
    for _ in working:
        await slow.begun.get()
    probe = slow.visit("/healthz")
    assert await slow.begun.get() == "/healthz"
    slow.go.set()
    assert await probe.over() == 200


async def test_a_flood_of_probes_has_few_threads(slow: Slow) -> None:
    probes = [slow.visit("/readyz") for _ in range(20)]
    for _ in range(4):
        await slow.begun.get()
    assert slow.begun.empty()
    slow.go.set()
    assert [await probe.over() for probe in probes] == [200] * 20


async def test_however_many_answers_are_computed_the_other_threads_answer_everybody_else(slow: Slow) -> None:
    computed = [slow.visit(FRAMES.format(f"seat{number}")) for number in range(30)]
    assert (await slow.begun.get()).startswith("/matches/abc/frames/")
    page = slow.visit("/bots/new")
    assert await slow.begun.get() == "/bots/new", "the second thread was free for it"
    assert slow.begun.empty(), "one computes, the others wait in a line of their own"
    slow.go.set()
    assert [await visit.over() for visit in (page, *computed)] == [200] * 31


async def test_a_reader_who_goes_away_leaves_both_lines(slow: Slow) -> None:
    pages = [slow.visit("/bots/new") for _ in range(2)]
    for _ in pages:
        await slow.begun.get()
    gone = slow.visit(FRAMES.format("open"))  # has passed the first line and waits in the second
    while not slow.turns.lines.computing.locked():  # noqa: ASYNC110  a semaphore tells nobody
        await asyncio.sleep(0)
    gone.left.set()
    assert await gone.over() == 0
    assert not slow.turns.lines.computing.locked()
    slow.go.set()
    assert await slow.visit(FRAMES.format("open")).over() == 200


@pytest.mark.parametrize(
    "path",
    [
        "/matches/abc/frames/open", "/matches/abc/picture.svg", "/matches/abc/author/0",
        "/tournaments/cup/export.json", "/tournaments/cup/export.csv", "/tournaments/cup/export.trf",
        "/tournaments/cup/desk", "/ladders/one/head-to-head/", "/ladders/one/bots/jaguar/",
        "/api/v1/tournaments/cup/export", "/api/v1/ladders/one/head-to-head",
        "/api/v1/ladders/one/bots/jaguar/history",
    ],
)  # fmt: skip
def test_reads_that_compute_wait_in_the_line_for_it(path: str) -> None:
    assert is_computed(path)


@pytest.mark.parametrize("path", ["/", "/matches/abc/", "/matches/abc/chances", "/api/v1/schema", "/nowhere"])
def test_other_reads_do_not(path: str) -> None:
    assert not is_computed(path)


async def test_django_itself_answers_in_turn_and_calls_of_match_hosts_too() -> None:
    visit = Visit(Turns(get_asgi_application()), "/host/v1/attempts/1/beat")
    assert await visit.over() in (401, 405)
