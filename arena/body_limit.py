"""Refuse bodies that are too large before they are stored: under ASGI, Django writes them to disk."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from workers.archives.archive_limits import ARCHIVE, MIB

LIMIT = ARCHIVE + MIB
"""An upload of the largest archive, with the form around it."""
HOST_LIMIT = 128 * MIB
"""For match hosts' reports; a host is recognised by its key, but only once the body has been read."""
ANSWER = json.dumps(
    {
        "code": "too-large",
        "message": f"A request may be {LIMIT // MIB} MiB at most. Send a smaller file.",
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
    """The body is larger than allowed."""


def limit_bodies(application: Application) -> Application:
    """Wrap the application: a body that is too large, as announced or as received, is answered with 413."""

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
