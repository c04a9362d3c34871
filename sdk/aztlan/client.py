"""The bot's end of the gRPC stream."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, Self

import grpc

from aztlan.bot import Bot
from aztlan.conversation import Conversation
from proto import codec
from proto.messages import PLAY, BotMessage, Decision, Hello, HostMessage

SOCKET_VARIABLE = "AZTLAN_SOCKET"
"""Holds the path of the seat's unix socket, or `127.0.0.1:PORT` where there are no unix sockets."""
PATIENCE_SECONDS = 60.0
"""How long gRPC waits before it looks whether the message that it will be woken for has come anyway."""
_LOOPBACK = re.compile(r"127\.0\.0\.1:\d+")


class HostGoneError(Exception):
    """The stream broke, or the host ended it; the text says why."""


class _BotTakenError(BaseException):
    """Unwinds a bot's program at the point where it would have started to play."""


_TAKEN: ContextVar[list[Bot] | None] = ContextVar("taken", default=None)


@contextmanager
def taking_bots() -> Iterator[list[Bot]]:
    """Make `run` add its bot to the yielded list and leave the program, instead of playing a match."""
    taken: list[Bot] = []
    token = _TAKEN.set(taken)
    try:
        yield taken
    except _BotTakenError:
        pass
    finally:
        _TAKEN.reset(token)


def run(bot: Bot) -> None:
    """Play one match for `aztlan play`, `aztlan check` or the arena; return when it is over."""
    taken = _TAKEN.get()
    if taken is not None:
        taken.append(bot)
        raise _BotTakenError
    conversation = Conversation(bot)
    with HostStream(socket_path(), conversation.hello()) as stream:
        try:
            stream.talk(conversation.hear)
        except HostGoneError as error:
            sys.exit(f"the match host ended the stream: {error}")


def wait_quietly() -> None:
    """Keep gRPC from waking up ten times per second while a person at the table thinks.

    It does so for signals, which Python 2 could not deliver to a thread that waits. Where a version of gRPC
    has no such limit, there is nothing to change.
    """
    common = sys.modules.get("grpc._common")
    if hasattr(common, "MAXIMUM_WAIT_TIMEOUT"):
        common.MAXIMUM_WAIT_TIMEOUT = PATIENCE_SECONDS  # type: ignore[union-attr]


def socket_path() -> str:
    """Return the path of the seat's socket, from the environment."""
    path = os.environ.get(SOCKET_VARIABLE)
    if not path:
        sys.exit(
            f"{SOCKET_VARIABLE} is not set: a match host starts bots. Try `aztlan play {sys.argv[0]} greedy`."
        )
    return path


class HostStream:
    """An open stream to a host that has sent its hello. `close` is thread-safe and ends `talk`."""

    def __init__(self, path: str, hello: Hello) -> None:
        wait_quietly()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._outbox.put(codec.write_hello(hello))
        # The socket is local: ignore any proxy set in the environment.
        target = path if _LOOPBACK.fullmatch(path) else f"unix:{path}"
        self._channel = grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)])
        play: Any = self._channel.stream_stream(
            PLAY
        )  # raw bytes in and out, which the type stubs cannot express
        self._call: Iterator[bytes] = play(self._messages())

    def talk(self, hear: Callable[[HostMessage], BotMessage | None]) -> None:
        """Answer the host's messages until it ends the stream; raise HostGoneError on an error."""
        try:
            for data in self._call:
                message = codec.read_host_message(data)
                answer = hear(message) if message is not None else None
                if answer is not None:
                    self.say(answer)
        except grpc.RpcError as error:
            details: Any = getattr(error, "details", error.__str__)
            raise HostGoneError(details()) from None

    def say(self, message: BotMessage) -> None:
        """Send a message."""
        if isinstance(message, Decision):
            self._outbox.put(codec.write_decision(message))
        elif not isinstance(message, Hello):
            self._outbox.put(codec.write_pong(message))

    def close(self) -> None:
        """Close the connection."""
        self._outbox.put(None)
        self._channel.close()

    def _messages(self) -> Iterator[bytes]:
        while (data := self._outbox.get()) is not None:
            yield data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
