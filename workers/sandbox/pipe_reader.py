"""Reads a pipe that a stranger writes to, and keeps only a limited part of it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable

CHUNK = 65536
LAST_WORDS_SECONDS = 1.0


class PipeReader:
    """Keeps the last `keep` bytes. Beyond `allowed` in total it calls `on_excess` and stops reading."""

    def __init__(self, pipe: int, keep: int, allowed: int, on_excess: Callable[[], None]) -> None:
        self.pipe, self.keep, self.allowed, self.on_excess = pipe, keep, allowed, on_excess
        self.buffer = bytearray()
        self.total = 0
        self.loop = asyncio.get_running_loop()
        self.start()

    def start(self) -> None:
        os.set_blocking(self.pipe, False)
        self.loop.add_reader(self.pipe, self.read)

    def tail(self) -> bytes:
        return bytes(self.buffer[-self.keep :])

    def read(self) -> bool:
        """Read a chunk; return whether there may be more."""
        try:
            chunk = os.read(self.pipe, CHUNK)
        except BlockingIOError:
            return False
        self.take(chunk)
        if not chunk or self.total > self.allowed:
            self.loop.remove_reader(self.pipe)
        if self.total > self.allowed:
            self.on_excess()
        return bool(chunk) and self.total <= self.allowed

    def take(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self.buffer += chunk
        if len(self.buffer) > 2 * self.keep:
            del self.buffer[: -self.keep]

    def close(self) -> None:
        """Read what is left in the pipe, once nobody can write to it any more."""
        while self.read():
            pass
        self.loop.remove_reader(self.pipe)
        os.close(self.pipe)


class ThreadedPipeReader(PipeReader):
    """The same where an event loop watches no pipes, as on Windows: a thread waits for what is written."""

    def start(self) -> None:
        self.thread = threading.Thread(target=self.read_all, daemon=True)
        self.thread.start()

    def read_all(self) -> None:
        while chunk := os.read(self.pipe, CHUNK):
            self.take(chunk)
            if self.total > self.allowed:
                self.loop.call_soon_threadsafe(self.on_excess)
                return

    def close(self) -> None:
        """Take what is still in the pipe. What outlived the program and holds it open is not waited for."""
        self.thread.join(LAST_WORDS_SECONDS)
        if not self.thread.is_alive():
            os.close(self.pipe)


def open_pipe_reader(pipe: int, keep: int, allowed: int, on_excess: Callable[[], None]) -> PipeReader:
    """Read a pipe in the way that this system can."""
    kind = ThreadedPipeReader if sys.platform == "win32" else PipeReader
    return kind(pipe, keep, allowed, on_excess)
