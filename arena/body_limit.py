"""Refuse bodies that are too large before they are stored: under ASGI, Django puts a whole body on disk."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from workers.archives.archive_limits import ARCHIVE, MIB

LIMIT = ARCHIVE + MIB
"""An upload of the largest archive, and the form around it."""
HOST_LIMIT = 128 * MIB
"""What match hosts report; they are known by their key, but only once the body is read."""
ANSWER = json.dumps(
    {
        "code": "too-large",
        "message": f"A request may have {LIMIT // MIB} MiB at most.",
        "fields": {},
        "wait_seconds": None,
    }
).encode()
Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class TooLargeError(Exception):
    """More arrived than was announced or is allowed."""


def limit_bodies(application: Application) -> Application:
    """Wrap the application: what is announced or turns out too large is answered with 413."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await application(scope, receive, send)
        limit = HOST_LIMIT if scope["path"].startswith("/host/") else LIMIT
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and (len(announced) > 19 or int(announced) > limit):
            return await refuse(send)
        arrived = 0

        async def count() -> Message:
            nonlocal arrived
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > limit:
                raise TooLargeError
            return message

        try:
            await application(scope, count, send)
        except TooLargeError:  # raised while the body is read, so nothing was answered yet
            await refuse(send)

    return limited


async def refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": ANSWER})
