"""How a web process answers many at once: in turn, in few threads, and what is for all only once."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import AsyncRequestFactory
from django.urls import resolve
from pytest_django import Settings

from arena.computing import is_computed
from arena.handler import Handler
from arena.operations.middleware import PROBES

ask = AsyncRequestFactory(headers={"host": "localhost"})


class Slow(Handler):
    """A handler whose answers wait for `go`."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()

    def get_response(self, request: HttpRequest) -> HttpResponse:
        self.loop.call_soon_threadsafe(self.begun.put_nowait, request.path)
        assert self.go.wait(300)
        if request.path not in PROBES:
            request.resolver_match = resolve(request.path)
        return HttpResponse(f"the answer to {request.path}")

    def visit(self, path: str, **headers: str) -> asyncio.Task[HttpResponseBase]:
        """Ask as Django's handler does: each in a thread of its own, to which it says when a request is over."""

        async def asked() -> HttpResponseBase:
            async with ThreadSensitiveContext():
                try:
                    return await self.get_response_async(ask.get(path, headers=headers))
                finally:
                    await sync_to_async(lambda: None)()

        return asyncio.create_task(asked())


@pytest.fixture
async def slow(settings: Settings) -> AsyncIterator[Slow]:
    settings.WEB_THREADS = 2
    handler = Slow()
    yield handler
    handler.go.set()


async def test_only_so_many_are_answered_at_a_time_and_the_others_wait(slow: Slow) -> None:
    visits = [slow.visit("/bots/new") for _ in range(5)]
    assert [await slow.begun.get() for _ in range(2)] == ["/bots/new"] * 2
    assert slow.turns.answering.locked()
    assert slow.begun.empty()
    slow.go.set()
    answers = await asyncio.gather(*visits)
    assert [answer.status_code for answer in answers] == [200] * 5


@pytest.mark.parametrize("path", ["/bots/new", "/api/v1/bots"])
async def test_who_would_wait_too_long_is_told_when_to_come_again(
    slow: Slow, settings: Settings, path: str
) -> None:
    working = [slow.visit("/bots/new") for _ in range(2)]
    for _ in working:
        await slow.begun.get()
    settings.LONGEST_WAIT_SECONDS = 0
    answer = await slow.visit(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    slow.go.set()
    await asyncio.gather(*working)
    settings.LONGEST_WAIT_SECONDS = 10
    assert (await slow.visit(path)).status_code == 200


async def test_a_visitor_who_goes_away_keeps_the_turn_until_the_thread_is_done(slow: Slow) -> None:
    gone = [slow.visit("/bots/new") for _ in range(2)]
    for visit in gone:
        await slow.begun.get()
        visit.cancel()
    assert slow.turns.answering.locked()
    slow.go.set()
    await asyncio.gather(*gone, return_exceptions=True)
    assert (await slow.visit("/bots/new")).status_code == 200
    assert not slow.turns.answering.locked()


async def test_a_probe_does_not_wait(slow: Slow) -> None:
    working = [slow.visit("/bots/new") for _ in range(2)]
    for _ in working:
        await slow.begun.get()
    probe = slow.visit("/healthz")
    assert await slow.begun.get() == "/healthz"
    slow.go.set()
    await asyncio.gather(probe, *working)


FRAMES = "/matches/abc/frames/{}"


async def test_however_many_answers_are_computed_the_other_threads_answer_everybody_else(slow: Slow) -> None:
    computed = [slow.visit(FRAMES.format(f"seat{number}")) for number in range(30)]
    assert (await slow.begun.get()).startswith("/matches/abc/frames/")
    page = slow.visit("/bots/new")
    assert await slow.begun.get() == "/bots/new", "the second thread was free for it"
    assert slow.begun.empty(), "one computes, the others wait in a line of their own"
    slow.go.set()
    answers = await asyncio.gather(page, *computed)
    assert [answer.status_code for answer in answers] == [200] * 31


async def test_who_would_wait_too_long_for_a_computed_answer_is_told_and_nobody_else(
    slow: Slow, settings: Settings
) -> None:
    computed = slow.visit(FRAMES.format("open"))
    await slow.begun.get()
    settings.LONGEST_WAIT_SECONDS = 0
    assert (await slow.visit(FRAMES.format("public"))).status_code == 503
    settings.LONGEST_WAIT_SECONDS = 10
    page = slow.visit("/bots/new")
    assert await slow.begun.get() == "/bots/new"
    slow.go.set()
    await asyncio.gather(computed, page)
    assert (await slow.visit(FRAMES.format("public"))).status_code == 200


async def test_a_reader_who_goes_away_leaves_both_lines(slow: Slow) -> None:
    pages = [slow.visit("/bots/new") for _ in range(2)]
    for _ in pages:
        await slow.begun.get()
    gone = slow.visit(FRAMES.format("open"))  # has passed the first line and waits in the second
    while not slow.turns.computing.locked():  # noqa: ASYNC110  a semaphore tells nobody
        await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert not slow.turns.computing.locked()
    slow.go.set()
    await asyncio.gather(*pages)
    assert (await slow.visit(FRAMES.format("open"))).status_code == 200


async def test_a_flood_of_probes_has_few_threads(slow: Slow) -> None:
    probes = [slow.visit("/readyz") for _ in range(20)]
    for _ in range(4):
        await slow.begun.get()
    assert slow.begun.empty()
    slow.go.set()
    await asyncio.gather(*probes)


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
    assert is_computed(AsyncRequestFactory().get(path))


@pytest.mark.parametrize("path", ["/", "/matches/abc/", "/matches/abc/chances", "/api/v1/schema", "/nowhere"])
def test_other_reads_do_not(path: str) -> None:
    assert not is_computed(AsyncRequestFactory().get(path))


async def test_what_is_for_all_is_made_once_for_all_who_wait(slow: Slow) -> None:
    visits = [slow.visit("/bots/") for _ in range(20)]
    slow.go.set()
    answers = await asyncio.gather(*visits)
    assert {answer.content for answer in answers} == {b"the answer to /bots/"}  # type: ignore[attr-defined]  # gathered
    assert slow.begun.qsize() <= 2  # as many as there are threads


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/bots/", {"cookie": "sessionid=abc"}),
        ("/api/v1/bots", {"authorization": "Bearer aztlan_x"}),
        ("/bots/", {"hx-request": "true"}),
        ("/bots/?q=jaguar", {}),
        ("/bots/", {"accept-language": "de"}),
        ("/bots/", {"host": "127.0.0.1"}),
        ("/accounts/sign-up", {}),
    ],
)
async def test_what_is_for_one_is_made_for_one(slow: Slow, path: str, headers: dict[str, str]) -> None:
    slow.go.set()
    await slow.visit("/bots/")
    await slow.visit(path, **headers)
    await slow.visit(path, **{"cookie": "a=b", **headers})
    assert slow.begun.qsize() == 3


async def test_an_answer_that_sets_a_cookie_or_is_private_is_not_shared(slow: Slow) -> None:
    slow.go.set()
    request = ask.get("/bots/")
    request.resolver_match = resolve("/bots/")
    for name, value in (("Set-Cookie", "a"), ("Cache-Control", "private, no-store")):
        response = HttpResponse("mine")
        response.set_cookie("a", "b") if name == "Set-Cookie" else response.__setitem__(name, value)
        slow.shared.keep(("k",), request, response)
    slow.shared.keep(("k",), request, HttpResponse("wrong", status=404))
    assert slow.shared.find(("k",)) is None
    slow.shared.keep(("k",), request, HttpResponse("ours"))
    assert slow.shared.find(("k",)) is not None


async def test_an_answer_is_shared_only_for_a_moment_and_not_at_all_where_that_is_off(
    slow: Slow, settings: Settings
) -> None:
    slow.go.set()
    slow.shared.seconds = -1
    for _ in range(2):
        await slow.visit("/bots/")
    slow.shared.seconds = 0
    await slow.visit("/bots/")
    assert slow.begun.qsize() == 3


async def test_old_answers_make_room_for_new_ones(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.shared_answers.MOST_ANSWERS", 3)
    slow.go.set()
    for number in range(9):
        await slow.visit(f"/bots/?q={number}")
    assert len(slow.shared.answers) == 3


async def call(handler: Handler, path: str, body: bytes) -> tuple[int, bytes]:
    """Call as the web server does."""
    sent: list[dict[str, Any]] = []
    received = [{"type": "http.request", "body": body}]

    async def receive() -> dict[str, Any]:
        return received.pop(0) if received else await asyncio.Future()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "root_path": ""}
    await handler({**scope, "headers": [(b"host", b"localhost")]}, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


async def test_calls_of_match_hosts_share_a_few_threads_that_stay_and_each_is_finished() -> None:
    handler, threads, finished = Handler(), set(), []

    def note(**_: object) -> None:
        finished.append(threading.current_thread())
        threads.add(threading.current_thread().name.partition("_")[0])

    request_finished.connect(note)
    try:
        for number in range(6):
            status, answer = await call(handler, f"/host/v1/attempts/{number}/beat", b"{}")
            assert (status, b"key is wrong" in answer) == (401, True)
    finally:
        request_finished.disconnect(note)
    assert threads == {"host-call"}
    assert len(finished) == 6
    assert len(set(finished)) <= settings.WEB_THREADS


async def test_calls_of_match_hosts_wait_in_the_same_line(slow: Slow) -> None:
    visits = [slow.visit("/bots/new") for _ in range(2)]
    for _ in visits:
        await slow.begun.get()
    waiting = asyncio.create_task(call(slow, "/host/v1/attempts/1/beat", b"{}"))
    await asyncio.sleep(0)
    assert slow.begun.empty()
    slow.go.set()
    assert (await waiting)[1] == b"the answer to /host/v1/attempts/1/beat"
    await asyncio.gather(*visits)


async def test_a_host_that_goes_away_before_its_body_has_come_is_not_answered() -> None:
    sent: list[object] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/host/v1/attempts/1/beat", "headers": []}
    await Handler()(scope, receive, send)
    assert sent == []
