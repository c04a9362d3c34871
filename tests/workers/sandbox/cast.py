"""What villains and honest bots share: a copy stands in each one's folder."""

import ctypes
import os
import queue
from collections.abc import Callable, Iterator
from typing import ClassVar

import grpc

from proto import codec
from proto.messages import PLAY, Decision, DecisionRequest, Hello, Ping, Pong

SOCKET = os.environ["AZTLAN_SOCKET"]
libc = ctypes.CDLL(None, use_errno=True)


def attempt(name: str, deed: Callable[[], object]) -> None:
    """Try what must not work and say how it went; a result means that it worked."""
    try:
        result = deed()
    except (OSError, MemoryError) as error:
        print(f"held {name}: {error!r}"[:200], flush=True)
    else:
        print(f"ESCAPED {name}: {result!r}"[:200], flush=True)


def call(number: int, *arguments: object) -> int:
    """Make a system call by its number; refusals are OSError."""
    values = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *values)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(result)


class Line:
    """A connection to the match host, held until the end."""

    all: ClassVar["list[Line]"] = []

    def __init__(self) -> None:
        self.all.append(self)
        self.outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.outbox.put(codec.write_hello(Hello(1, "cast")))
        options = [("grpc.use_local_subchannel_pool", 1)]
        self.channel = grpc.insecure_channel(f"unix:{SOCKET}", options=options)
        self.stream = self.channel.stream_stream(PLAY)(iter(self.outbox.get, None))

    def questions(self) -> Iterator[DecisionRequest]:
        for data in self.stream:
            message = codec.read_host_message(data)
            if isinstance(message, Ping):
                self.outbox.put(codec.write_pong(Pong(message.ping_id)))
            elif isinstance(message, DecisionRequest):
                yield message

    def answer(self, request: DecisionRequest) -> None:
        self.outbox.put(codec.write_decision(Decision(request.request_id, request.legal_actions[0], "")))


def play(line: Line, decisions: int = 1_000_000) -> None:
    """Play honestly, for a number of decisions."""
    for count, request in enumerate(line.questions(), 1):
        line.answer(request)
        if count == decisions:
            return
