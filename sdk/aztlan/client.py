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
"""Where a bot finds the path of its seat's unix socket; on a machine without them, `127.0.0.1:PORT`."""
_LOOPBACK = re.compile(r"127\.0\.0\.1:\d+")


class HostGoneError(Exception):
    """The stream broke, or the host ended the bot's part; the text says why."""


class _BotTakenError(BaseException):
    """Leaves a bot's program where it would have begun to play."""


_TAKEN: ContextVar[list[Bot] | None] = ContextVar("taken", default=None)


@contextmanager
def taking_bots() -> Iterator[list[Bot]]:
    """Have `run` hand its bot over into the list, and leave the program, instead of playing a match."""
    taken: list[Bot] = []
    token = _TAKEN.set(taken)
    try:
        yield taken
    except _BotTakenError:
        pass
    finally:
        _TAKEN.reset(token)


def run(bot: Bot) -> None:
    """Play one match, as `aztlan play`, `aztlan check` and the arena want it. Returns when it is over."""
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


def socket_path() -> str:
    """The path of the socket, from the environment."""
    path = os.environ.get(SOCKET_VARIABLE)
    if not path:
        sys.exit(
            f"{SOCKET_VARIABLE} is not set: a match host starts bots. Try `aztlan play {sys.argv[0]} greedy`."
        )
    return path


class HostStream:
    """An open stream to a host, greeted. `close` may be called from another thread; it ends `talk`."""

    def __init__(self, path: str, hello: Hello) -> None:
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._outbox.put(codec.write_hello(hello))
        # No proxy stands between a bot and its socket, whatever the environment says.
        target = path if _LOOPBACK.fullmatch(path) else f"unix:{path}"
        self._channel = grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)])
        play: Any = self._channel.stream_stream(PLAY)  # bytes in and out, which its types cannot say
        self._call: Iterator[bytes] = play(self._messages())

    def talk(self, hear: Callable[[HostMessage], BotMessage | None]) -> None:
        """Answer what the host says until it ends the stream; HostGoneError if it does not end it well."""
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
