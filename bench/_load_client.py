"""Visitors for the load test: each holds one connection and asks again as soon as it is answered."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

FRAME_SECONDS = 0.03


@dataclass
class Burst:
    """What a number of visitors got in a number of seconds."""

    seconds: float = 0
    errors: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, other: "Burst") -> None:
        self.seconds += other.seconds
        self.errors += other.errors
        self.times += other.times

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds if self.seconds else 0

    @property
    def p95_ms(self) -> float:
        return sorted(self.times)[int(len(self.times) * 0.95)] * 1000 if self.times else float("nan")


@dataclass
class Watched:
    """What probes of /healthz and a spectator of a live match waited, and who opened replays meanwhile."""

    probes: Burst = field(default_factory=Burst)
    live: Burst = field(default_factory=Burst)
    opened: Burst = field(default_factory=Burst)

    def add(self, other: "Watched") -> None:
        for mine, theirs in (
            (self.probes, other.probes),
            (self.live, other.live),
            (self.opened, other.opened),
        ):
            mine.add(theirs)


@dataclass(frozen=True)
class LiveMatch:
    """A running match: where its spectators listen, and how to show them one more frame."""

    path: str
    show: Callable[[dict[str, object]], None]


def visit(port: int, path: str, visitors: int, seconds: float, cookie: str = "") -> Burst:
    """Ask for a path over and over. With a cookie, nobody is given an answer made for another."""
    return asyncio.run(_visit(port, path, visitors, seconds, cookie))


async def _visit(port: int, path: str, visitors: int, seconds: float, cookie: str) -> Burst:
    burst = Burst()
    began = time.perf_counter()
    await asyncio.gather(*(_visitor(port, path, began + seconds, burst, cookie) for _ in range(visitors)))
    burst.seconds = time.perf_counter() - began
    return burst


def watch_idle(port: int, probe: str, live: LiveMatch, seconds: float) -> Watched:
    """Probe and watch for some seconds while nothing else is asked for."""
    return asyncio.run(_watch(port, probe, live, lambda _: asyncio.sleep(seconds)))


def watch_while_opening(port: int, probe: str, live: LiveMatch, paths: list[str]) -> Watched:
    """Ask for each path once, all at the same time; probe and watch until all are answered."""

    async def open_all(opened: Burst) -> None:
        await asyncio.gather(*(_visitor(port, path, None, opened) for path in paths))

    return asyncio.run(_watch(port, probe, live, open_all))


async def _watch(port: int, probe: str, live: LiveMatch, work: Callable[[Burst], Awaitable[None]]) -> Watched:
    watched = Watched()
    async with _spectator(port, live, watched.live):
        prober = asyncio.create_task(_visitor(port, probe, time.perf_counter() + 600, watched.probes))
        await work(watched.opened)
        prober.cancel()
        await asyncio.gather(prober, return_exceptions=True)
    return watched


@asynccontextmanager
async def _spectator(port: int, live: LiveMatch, burst: Burst) -> AsyncIterator[None]:
    """Show a frame every now and then, and note how long each takes to reach a spectator."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    writer.write(f"GET {live.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    listening = asyncio.create_task(_listen(reader, burst))
    showing = asyncio.create_task(_show(live))
    try:
        while not burst.times:  # noqa: ASYNC110  the first frame has come, so the stream is open
            await asyncio.sleep(0.01)
        burst.times.clear()
        yield
    finally:
        for task in (listening, showing):
            task.cancel()
        await asyncio.gather(listening, showing, return_exceptions=True)
        writer.close()


async def _show(live: LiveMatch) -> None:
    step = 1
    while True:
        live.show({"step": step, "sent": time.perf_counter()})
        step += 1
        await asyncio.sleep(FRAME_SECONDS)


async def _listen(reader: asyncio.StreamReader, burst: Burst) -> None:
    began = time.perf_counter()
    while line := await reader.readline():
        if line.startswith(b'data: {"match"') and b'"sent"' in line:
            sent = json.loads(line[6:])["frame"]["sent"]
            if sent > began:  # what an earlier turn showed is sent again
                burst.times.append(time.perf_counter() - sent)


async def _visitor(port: int, path: str, until: float | None, burst: Burst, cookie: str = "") -> None:
    """Ask until a time, or once if there is none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    try:
        while (asked := time.perf_counter()) < (until or float("inf")):
            # Visitors come from everywhere, so that nobody's limit is used up.
            address = f"10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(256)}"
            headers = f"Host: localhost\r\nAccept-Encoding: gzip\r\nX-Forwarded-For: {address}"
            headers += f"\r\nCookie: {cookie}{random.randrange(10**9)}" if cookie else ""
            writer.write(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())
            status = await _answer(reader)
            if status == 200:
                burst.times.append(time.perf_counter() - asked)
            else:
                burst.errors += 1
            if until is None:
                return
    except (OSError, asyncio.IncompleteReadError):
        burst.errors += 1
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    """Read one answer to its end, and return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
    if "content-length" in headers:
        await reader.readexactly(int(headers["content-length"]))
    else:
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return int(head.split()[1])
