"""Visitors for the load test: each holds one connection and asks again as soon as it is answered."""

import asyncio
import random
import time
from dataclasses import dataclass, field


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
    def p50_ms(self) -> float:
        return self.percentile(0.5)

    @property
    def p95_ms(self) -> float:
        return self.percentile(0.95)

    def percentile(self, share: float) -> float:
        return sorted(self.times)[int(len(self.times) * share)] * 1000 if self.times else float("nan")


def visit(port: int, path: str, visitors: int, seconds: float) -> Burst:
    return asyncio.run(_visit(port, path, visitors, seconds))


async def _visit(port: int, path: str, visitors: int, seconds: float) -> Burst:
    burst = Burst()
    began = time.perf_counter()
    await asyncio.gather(*(_visitor(port, path, began + seconds, burst) for _ in range(visitors)))
    burst.seconds = time.perf_counter() - began
    return burst


def open_while_probing(port: int, probe: str, paths: list[str]) -> tuple[Burst, Burst]:
    """Ask for each path once, all at the same time, and for the probe over and over until all are answered."""
    return asyncio.run(_open_while_probing(port, probe, paths))


async def _open_while_probing(port: int, probe: str, paths: list[str]) -> tuple[Burst, Burst]:
    probed, opened = Burst(), Burst()
    began = time.perf_counter()
    prober = asyncio.create_task(_visitor(port, probe, began + 600, probed))
    await asyncio.gather(*(_visitor(port, path, None, opened) for path in paths))
    prober.cancel()
    await asyncio.gather(prober, return_exceptions=True)
    probed.seconds = opened.seconds = time.perf_counter() - began
    return probed, opened


async def _visitor(port: int, path: str, until: float | None, burst: Burst) -> None:
    """Ask until a time, or once where there is none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    try:
        while (asked := time.perf_counter()) < (until or float("inf")):
            # Visitors come from everywhere, so that nobody's limit is used up.
            address = f"10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(256)}"
            headers = f"Host: localhost\r\nAccept-Encoding: gzip\r\nX-Forwarded-For: {address}"
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
