"""How requests are answered under ASGI: each in one thread from beginning to end, and only so many at a time.

Django's own handler starts a thread for every visitor and changes threads at every middleware. With fifty
visitors most time goes by waiting for the interpreter, and for one of the few connections to the database.
Here the others wait in line, which costs nothing; whoever would wait too long is told when to come again.
"""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from arena.body_limit import Receive, Scope, Send
from arena.computing import is_computed
from arena.operations.middleware import ARRIVED, PROBES, observe
from arena.pages import errors
from arena.shared_answers import Answer, Key, SharedAnswers, key_of

HOST_CALLS = "/host/v1/"
# They wait for nobody else, but not each has a thread and a connection of its own.
PROBES_AT_A_TIME = 4


class Lines:
    """Where requests wait: few are answered at a time, and only one of those computes."""

    def __init__(self) -> None:
        self.answering = asyncio.Semaphore(settings.WEB_THREADS)
        self.computing = asyncio.Semaphore(1)
        self.probing = asyncio.Semaphore(PROBES_AT_A_TIME)


async def wait_in(lines: Sequence[asyncio.Semaphore]) -> None:
    """Wait in one line after the other. Raises TimeoutError where that takes too long."""
    passed: list[asyncio.Semaphore] = []
    try:
        async with asyncio.timeout(settings.LONGEST_WAIT_SECONDS):
            for line in lines:
                await line.acquire()
                passed.append(line)
    except BaseException:  # also of a visitor who has gone away
        leave(passed)
        raise


def leave(lines: Sequence[asyncio.Semaphore]) -> None:
    for line in lines:
        line.release()


class Handler(ASGIHandler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: WeakKeyDictionary[asyncio.AbstractEventLoop, Lines] = WeakKeyDictionary()
        self.host_threads = ThreadPoolExecutor(settings.WEB_THREADS, "host-call")
        self.shared = SharedAnswers(settings.SHARED_SECONDS)

    @property
    def turns(self) -> "Lines":
        """The lines of this event loop; a server has one loop, tests have several."""
        return self.lines.setdefault(asyncio.get_running_loop(), Lines())

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_host_call = scope["type"] == "http" and scope["path"].startswith(HOST_CALLS)
        await (self.answer_host if is_host_call else super().__call__)(scope, receive, send)

    async def answer_host(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a match host. Django's own way would start a thread for it, and go there three times."""
        with suppress(RequestAborted), closing(await self.read_body(receive)) as body:
            request, bad = self.create_request(scope, body)
            response = await self.get_response_async(request) if request else bad
            if response:
                await self.send_response(response, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, in turn. A probe never waits: a busy process is not a dead one."""
        request.META[ARRIVED] = time.perf_counter()
        if request.path in PROBES:
            async with self.turns.probing:
                return await sync_to_async(self.answer)(request)
        key = key_of(request)
        if found := self.shared.find(key):
            return given(found, request)
        turns = self.turns
        lines = (turns.computing, turns.answering) if is_computed(request) else (turns.answering,)
        try:
            await wait_in(lines)
        except TimeoutError:
            return errors.busy(request)
        if found := self.shared.find(key):  # made by another while this one waited
            leave(lines)
            return given(found, request)
        # A visitor who goes away does not end the thread, so the turn lasts until the thread is done.
        return await asyncio.shield(asyncio.ensure_future(self.take_turn(key, request, lines)))

    async def take_turn(
        self, key: Key | None, request: HttpRequest, lines: Sequence[asyncio.Semaphore]
    ) -> HttpResponseBase:
        try:
            response: HttpResponseBase
            if isinstance(request, ASGIRequest) and request.path.startswith(HOST_CALLS):
                loop = asyncio.get_running_loop()
                response = await loop.run_in_executor(self.host_threads, self.answer_whole, request)
            else:
                response = await sync_to_async(self.answer)(request)
            self.shared.keep(key, request, response)  # before the next one looks for it
            return response
        finally:
            leave(lines)

    def answer_whole(self, request: ASGIRequest) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(request.scope))
        request_started.send(sender=self.__class__, scope=request.scope)
        response = self.answer(request)
        response.close()  # which tells that the request is finished; the content stays
        return response

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return self.get_response(request)
        finally:
            connections.close_all()  # whoever reads the answer slowly would keep one from the others


def given(found: Answer, request: HttpRequest) -> HttpResponse:
    observe("GET", found.route, 200, request.META[ARRIVED])
    return HttpResponse(found.content, headers=found.headers)
