"""Many spectators of one match, each with a connection of its own."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

COMING_AT_ONCE = 50


@dataclass
class Spectator:
    """What one connection received: the steps in order, and when each came."""

    steps: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def watch(
        self, address: str, public_id: str, last_step: int, door: asyncio.Semaphore, ready: asyncio.Semaphore
    ) -> None:
        """Read server-sent events until the last step has come."""
        url = urlsplit(address)
        async with door:
            reader, writer = await asyncio.open_connection(url.hostname, url.port, limit=2**20)
            request = f"GET /live/events?match={public_id} HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n"
            writer.write(request.encode())
            head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.partition(b"\r\n")[0], head
        while not self.steps or self.steps[-1] != last_step:
            line = await reader.readline()
            assert line, "the connection was closed"
            if line.startswith(b"event: match"):
                ready.release()
            elif line.startswith(b'data: {"match"') and b'"frame"' in line:
                self.steps.append(json.loads(line[6:])["frame"]["step"])
                self.times.append(time.monotonic())
        writer.close()


async def gather(
    address: str, public_id: str, count: int, last_step: int, show: Callable[[], Awaitable[object]]
) -> list[Spectator]:
    """Connect the spectators; when all are there, `show`, and wait until each has seen the last step.

    They come in a stream of a few at a time: of a crowd in the same instant, a slow machine turns some away.
    """
    door, ready = asyncio.Semaphore(COMING_AT_ONCE), asyncio.Semaphore(0)
    spectators = [Spectator() for _ in range(count)]
    async with asyncio.TaskGroup() as group:  # one who is turned away ends the wait for all
        for one in spectators:
            group.create_task(one.watch(address, public_id, last_step, door, ready))
        for _ in spectators:
            await ready.acquire()
        await show()
    return spectators
