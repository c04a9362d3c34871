"""Answers that are the same for everybody are made once, and shared for a moment by all web processes.

Whoever sends a token, or a cookie that says more than a language, gets an answer of their own. The others may
see a page that is a moment old, so a crowd that watches a ladder costs as much as one spectator. A shared
answer needs no thread and no middleware: `make load` measures several times as many per second as with
Django's cache middleware.
"""

import json
import time
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache
from django.urls import Resolver404, resolve

from arena.body_limit import Application, Message, Receive, Scope, Send
from arena.operations.middleware import ARRIVED, observe

ROUTES = frozenset(
    {
        "home", "bots", "bot", "matches", "match", "match-frames", "ladders", "ladder", "season",
        "head-to-head", "rating-history", "tournaments", "tournament", "author", "live",
        "api-bots-list", "api-bots-detail", "api-versions", "api-matches-list", "api-matches-detail",
        "api-ladders-list", "api-ladders-detail", "api-standings", "api-tournaments", "api-tournament",
    }
)  # fmt: skip
# What an answer may depend on, besides its address.
HEADERS = (b"host", b"accept", b"accept-language", b"accept-encoding", b"cookie")
PERSONAL = frozenset({b"authorization", b"hx-request", b"if-none-match", b"range"})
LARGEST_ANSWER = 256 * 1024


class FoundError(Exception):
    """Another visitor's answer was ready by the time this one's turn came."""

    def __init__(self, kept: bytes) -> None:
        super().__init__()
        self.kept = kept


def share_answers(application: Application) -> Application:
    """Wrap the application, whose `receive` may have to wait in line for a turn."""

    async def shared(scope: Scope, receive: Receive, send: Send) -> None:
        route = route_of(scope)
        if route is None:
            return await application(scope, receive, send)
        key = key_of(scope)
        if kept := await cache.aget(key):
            return await send_kept(kept, route, scope, send)

        async def receive_or_find() -> Message:
            message = await receive()  # the request, which may have waited; later calls ask who has gone away
            if message["type"] == "http.request" and (kept := await cache.aget(key)):
                raise FoundError(kept)
            return message

        try:
            await application(scope, receive_or_find, SendAndKeep(key, send))
        except FoundError as found:
            await send_kept(found.kept, route, scope, send)

    return shared


def route_of(scope: Scope) -> str | None:
    """Return the route of a request whose answer may be shared, else None."""
    if scope["type"] != "http" or scope["method"] != "GET" or not settings.SHARED_SECONDS:
        return None
    if any(is_personal(name, value) for name, value in scope["headers"]):
        return None
    try:
        match = resolve(scope["path"])
    except Resolver404:
        return None
    return match.route if match.url_name in ROUTES else None


def is_personal(name: bytes, value: bytes) -> bool:
    return name in PERSONAL or (name == b"cookie" and value not in language_cookies())


def language_cookies() -> list[bytes]:
    return [f"{settings.LANGUAGE_COOKIE_NAME}={code}".encode() for code, _name in settings.LANGUAGES]


def key_of(scope: Scope) -> str:
    headers = dict(scope["headers"])
    parts = (scope["scheme"], scope["path"], scope["query_string"], *(headers.get(name) for name in HEADERS))
    return f"answer:{sha256(repr(parts).encode()).hexdigest()}"


class SendAndKeep:
    """Sends an answer, and first keeps it for others if it is for everybody.

    Whoever waits for a turn gets it when an answer begins, and finds there what was kept.
    """

    def __init__(self, key: str, send: Send) -> None:
        self.key = key
        self.send = send
        self.held: list[Message] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and is_for_all(message):
            self.held = [message]
            return
        if not self.held:
            await self.send(message)
            return
        self.held.append(message)
        content = b"".join(part.get("body", b"") for part in self.held[1:])
        is_whole, is_large = not message.get("more_body"), len(content) > LARGEST_ANSWER
        if is_whole and not is_large:
            await cache.aset(self.key, pack(self.held[0]["headers"], content), settings.SHARED_SECONDS)
        if is_whole or is_large:
            for part in self.held:
                await self.send(part)
            self.held = []


def is_for_all(start: Message) -> bool:
    """Return whether others may be given the answer that begins so: it is not personal."""
    headers = {name.lower(): value for name, value in start["headers"]}
    private = b"private" in headers.get(b"cache-control", b"")
    return start["status"] == 200 and b"set-cookie" not in headers and not private


def pack(headers: list[tuple[bytes, bytes]], content: bytes) -> bytes:
    """Return the headers as a line of JSON, then the content."""
    pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    return json.dumps(pairs).encode() + b"\n" + content


async def send_kept(kept: bytes, route: str, scope: Scope, send: Send) -> None:
    line, _, content = kept.partition(b"\n")
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in json.loads(line)]
    observe("GET", route, 200, scope.get(ARRIVED) or time.perf_counter())
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})
