"""Admit requests to Django a few at a time, while the others wait in line.

Django's ASGI handler starts a thread for every request. With fifty visitors most of the time goes into
waiting for the interpreter, and for one of the few database connections. Waiting here costs nothing, and
whoever would wait too long is told when to try again.

A request's turn begins when its body has arrived and ends when its answer begins, so neither a slow upload
nor a slow download takes up a turn. Live streams hold one only until they begin.
"""

import asyncio
import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from django.conf import settings
from django.http import HttpResponse

from arena.body_limit import Application, Message, Receive, Scope, Send
from arena.computing import is_computed
from arena.operations.middleware import ARRIVED, PROBES
from arena.pages import errors

PROBES_AT_A_TIME = 4
"""Probes wait for nobody else, but do not each get a thread and a connection of their own."""


class WaitedTooLongError(Exception):
    """A request has waited too long for its turn."""


class Turn:
    """One request's place in one line after the other."""

    def __init__(self, lines: Sequence[asyncio.Semaphore]) -> None:
        self.lines = lines
        self.passed: list[asyncio.Semaphore] = []
        self.answered = asyncio.Event()

    async def begin(self) -> None:
        """Wait in each line. Raises WaitedTooLongError if that takes too long."""
        try:
            async with asyncio.timeout(settings.LONGEST_WAIT_SECONDS):
                for line in self.lines:
                    await line.acquire()
                    self.passed.append(line)
        except TimeoutError:
            raise WaitedTooLongError from None

    async def begin_unless_gone(self, receive: Receive) -> bool:
        """Wait in each line; return False if the visitor has gone away meanwhile."""
        if not any(line.locked() for line in self.lines):
            await self.begin()
            return True
        beginning, going = asyncio.ensure_future(self.begin()), asyncio.ensure_future(receive())
        try:
            await asyncio.wait({beginning, going}, return_when=asyncio.FIRST_COMPLETED)
            if beginning.done():
                beginning.result()
            return beginning.done()
        finally:
            beginning.cancel()
            going.cancel()

    def end(self) -> None:
        """Leave the lines; a second time does nothing."""
        while self.passed:
            self.passed.pop().release()
        self.answered.set()


class Lines:
    """The lines of one event loop: few requests are answered at a time, and only one of those computes."""

    def __init__(self) -> None:
        self.answering = asyncio.Semaphore(settings.WEB_THREADS)
        self.computing = asyncio.Semaphore(1)
        self.probing = asyncio.Semaphore(PROBES_AT_A_TIME)

    def for_path(self, path: str) -> Sequence[asyncio.Semaphore]:
        """Return the lines for a request. Probes have their own: a busy process is not a dead one."""
        if path in PROBES:
            return (self.probing,)
        return (self.computing, self.answering) if is_computed(path) else (self.answering,)


class Turns:
    """ASGI middleware that lets requests in by turns."""

    def __init__(self, application: Application) -> None:
        self.application = application
        # A server has one event loop; tests start several servers of one application.
        self.loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Lines] = WeakKeyDictionary()

    @property
    def lines(self) -> Lines:
        """The lines of the running event loop."""
        return self.loops.setdefault(asyncio.get_running_loop(), Lines())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.application(scope, receive, send)
        scope[ARRIVED] = time.perf_counter()
        turn = Turn(self.lines.for_path(scope["path"]))

        async def receive_in_turn() -> Message:
            if turn.passed:
                # Django asks whether the visitor has gone away, and would then abandon the request while its
                # thread runs on: the turn lasts until the thread is done.
                await turn.answered.wait()
            message = await receive()
            is_whole = message["type"] == "http.request" and not message.get("more_body")
            if is_whole and not turn.answered.is_set() and not await turn.begin_unless_gone(receive):
                return {"type": "http.disconnect"}
            return message

        async def send_and_end(message: Message) -> None:
            turn.end()
            await send(message)

        try:
            await self.application(scope, receive_in_turn, send_and_end)
        except WaitedTooLongError:  # raised before Django had the whole request, so nothing was answered yet
            await answer(errors.busy(scope["path"]), send)
        finally:
            turn.end()


async def answer(response: HttpResponse, send: Send) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
