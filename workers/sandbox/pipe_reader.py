"""Reads a pipe that a stranger writes to, and keeps only a limited part of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

CHUNK = 65536


class PipeReader:
    """Keeps the last `keep` bytes. Beyond `allowed` in total it calls `on_excess` and stops reading."""

    def __init__(self, pipe: int, keep: int, allowed: int, on_excess: Callable[[], None]) -> None:
        self.pipe, self.keep, self.allowed, self.on_excess = pipe, keep, allowed, on_excess
        self.buffer = bytearray()
        self.total = 0
        self.loop = asyncio.get_running_loop()
        os.set_blocking(pipe, False)
        self.loop.add_reader(pipe, self.read)

    def tail(self) -> bytes:
        return bytes(self.buffer[-self.keep :])

    def read(self) -> bool:
        """Read a chunk; return whether there may be more."""
        try:
            chunk = os.read(self.pipe, CHUNK)
        except BlockingIOError:
            return False
        self.total += len(chunk)
        self.buffer += chunk
        if len(self.buffer) > 2 * self.keep:
            del self.buffer[: -self.keep]
        if not chunk or self.total > self.allowed:
            self.loop.remove_reader(self.pipe)
        if self.total > self.allowed:
            self.on_excess()
        return bool(chunk) and self.total <= self.allowed

    def close(self) -> None:
        """Read what is left in the pipe, once nobody can write to it any more."""
        while self.read():
            pass
        self.loop.remove_reader(self.pipe)
        os.close(self.pipe)
