"""A house bot at a real table: it speaks gRPC like any bot, but from a thread of the match's own process.

House bots are trusted, so they need no process; a hundred matches against them start in no time.
"""

import asyncio
import contextlib
import os
from pathlib import Path

from aztlan.bot import Bot
from aztlan.client import HostGoneError, HostStream
from aztlan.conversation import Conversation
from workers.match.seat import Launcher
from workers.sandbox.base import Ending, Exit, Running


def house_launcher(bot: Bot) -> Launcher:
    """Launch a bot object for one match."""

    async def launch(socket: Path) -> Running:
        return HouseSeat(socket, bot)

    return launch


class HouseSeat:
    """Implements `workers.sandbox.base.Running`."""

    def __init__(self, socket: Path, bot: Bot) -> None:
        self._conversation = Conversation(bot)
        self._stream = HostStream(str(socket), self._conversation.hello())
        self._end = asyncio.ensure_future(asyncio.to_thread(self._talk))

    @property
    def pid(self) -> int:
        """The process it lives in."""
        return os.getpid()

    def kill(self, reason: str = "the match is over") -> None:  # noqa: ARG002  as a process is killed
        """Hang up; a thought that has begun is thought to its end."""
        self._stream.close()

    def output_tail(self) -> bytes:
        """Return nothing: house bots do not print."""
        return b""

    async def wait(self) -> Exit:
        """Wait for its last word. A bug of its own is raised: it is ours."""
        await asyncio.shield(self._end)
        return Exit(Ending.EXITED, "it left the table", code=0)

    def _talk(self) -> None:
        with self._stream, contextlib.suppress(HostGoneError):  # gone: the match was called off
            self._stream.talk(self._conversation.hear)
