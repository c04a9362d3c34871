"""Bots that misbehave, each in the way that its first argument names: over gRPC, or over a raw socket."""

import os
import queue
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator

import grpc

from proto import codec
from proto.messages import PLAY, Decision, DecisionRequest, Hello, Ping, Pong

PATH = os.environ["AZTLAN_SOCKET"]
CHANCE = random.Random(0)
ENDLESS = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]


class Line:
    """A connection that says what it is told to and hears what the host says."""

    def __init__(self, hello: bytes = b"", **options: object) -> None:
        self.outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.outbox.put(hello or codec.write_hello(Hello(1, "villain")))
        own = [*ENDLESS, ("grpc.use_local_subchannel_pool", 1)]
        channel = grpc.insecure_channel(f"unix:{PATH}", options=own)
        self.call = channel.stream_stream(PLAY)(iter(self.outbox.get, None), **options)

    def say(self, data: bytes | None) -> None:
        self.outbox.put(data)

    def questions(self) -> Iterator[DecisionRequest]:
        for data in self.call:
            message = codec.read_host_message(data)
            if isinstance(message, Ping):
                self.say(codec.write_pong(Pong(message.ping_id)))
            elif isinstance(message, DecisionRequest):
                yield message
            else:
                print("heard", type(message).__name__, getattr(message, "reason", ""), file=sys.stderr)

    def answer(self, request: DecisionRequest, note: str = "") -> None:
        action = CHANCE.choice(request.legal_actions)
        self.say(codec.write_decision(Decision(request.request_id, action, note)))


def play_honestly(line: Line) -> None:
    for request in line.questions():
        line.answer(request)


def misbehave_at(number: int, act: Callable[[Line, DecisionRequest], None]) -> None:
    """Answer well until the question of that number; then act."""
    line = Line()
    for request in line.questions():
        if request.request_id >= number:
            act(line, request)
        else:
            line.answer(request)


def raw_socket(data: bytes) -> None:
    """Speak to the socket without gRPC, then wait to be killed."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(PATH)
    connection.sendall(data)
    time.sleep(600)


def frame(kind: int, flags: int, stream: int, data: bytes) -> bytes:
    """A frame of HTTP/2."""
    return len(data).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + data


def grant_no_window() -> None:
    """Speak HTTP/2 by hand and allow the host to send no byte on the stream, so that its writing stalls."""
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": PLAY,
        ":authority": "x",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    block = b"".join(
        b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in headers.items()
    )
    hello = codec.write_hello(Hello(1, "stalled"))
    raw_socket(
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        + frame(4, 0, 0, (4).to_bytes(2, "big") + (0).to_bytes(4, "big"))  # settings: an initial window of 0
        + frame(1, 4, 1, block)  # headers, all of them
        + frame(0, 0, 1, b"\0" + len(hello).to_bytes(4, "big") + hello)  # data
    )


def second_client() -> None:
    line = Line()
    questions = line.questions()
    line.answer(next(questions))
    second = Line()
    try:
        next(second.call)
    except grpc.RpcError as error:
        print("second client:", error.code().name, error.details(), file=sys.stderr)
    for request in questions:
        line.answer(request)


def never_read() -> None:
    """Say hello and leave everything the host sends unread."""
    line = Line()
    time.sleep(600)
    line.say(None)


def answer_with(action: int) -> Callable[[Line, DecisionRequest], None]:
    return lambda line, request: line.say(codec.write_decision(Decision(request.request_id, action)))


def answer_late(line: Line, request: DecisionRequest) -> None:
    """Hold the first answer back until the second question has come."""
    if request.request_id > 1:
        if request.request_id == 2:
            line.say(codec.write_decision(Decision(1, 0)))
        line.answer(request)


def answer_thrice(line: Line, request: DecisionRequest) -> None:
    for _ in range(3 if request.request_id == 1 else 1):
        line.answer(request)


def answer_unasked(line: Line, request: DecisionRequest) -> None:
    if request.request_id == 1:
        line.say(codec.write_decision(Decision(999, 0)))
        line.say(codec.write_decision(Decision(0, 0)))
        line.say(codec.write_hello(Hello(1, "again")))
        line.say(b"")
        line.say(codec.write_pong(Pong(1)))  # the second
        line.say(codec.write_pong(Pong(7)))
    line.answer(request)


def flood(line: Line, _request: DecisionRequest) -> None:
    for _ in range(5000):
        line.say(codec.write_decision(Decision(4_000_000_000, 0)))


def take_notes(line: Line, request: DecisionRequest) -> None:
    line.answer(request, ("x" * 3000) if request.request_id == 1 else f"note {request.request_id}\0")


def talk_and_die(_line: Line, _request: DecisionRequest) -> None:
    sys.stderr.buffer.write(b"\xff first words\n" + b"." * 100_000 + b"\nlast words\n")
    sys.stderr.flush()
    os._exit(3)


def close_stream(line: Line, _request: DecisionRequest) -> None:
    line.call.cancel()
    time.sleep(600)


def half_close(line: Line, _request: DecisionRequest) -> None:
    line.say(None)
    time.sleep(600)


MODES: dict[str, Callable[[], None]] = {
    "honest": lambda: play_honestly(Line()),
    "exit_at_once": lambda: sys.exit("no bot here"),
    "hang_at_start": lambda: time.sleep(600),
    "raw_garbage": lambda: raw_socket(b"\0\xff" * 5000),
    "raw_http1": lambda: raw_socket(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    "raw_half_preface": lambda: raw_socket(b"PRI * HTTP/2.0\r\n"),
    "grant_no_window": grant_no_window,
    "wrong_version": lambda: play_honestly(Line(codec.write_hello(Hello(7, "from the future")))),
    "no_hello_first": lambda: play_honestly(Line(codec.write_decision(Decision(1, 0)))),
    "bad_name": lambda: play_honestly(
        Line(codec.write_hello(Hello(1, "name")).replace(b"name", b"na\xff\xfe"))
    ),
    "long_name": lambda: play_honestly(Line(codec.write_hello(Hello(1, "\0\x1b[31m\n" + "n" * 100_000)))),
    "garbage_message": lambda: misbehave_at(3, lambda line, _: line.say(b"\xff" * 50)),
    "huge_message": lambda: misbehave_at(3, lambda line, _: line.say(b"x" * 100_000_000)),
    "compressed": lambda: play_honestly(Line(b"\0" * 100_000, compression=grpc.Compression.Gzip)),
    "huge_metadata": lambda: play_honestly(Line(metadata=[("x", "y" * 20_000)])),
    "second_client": second_client,
    "never_read": never_read,
    "illegal_action": lambda: misbehave_at(3, answer_with(19)),
    "action_out_of_range": lambda: misbehave_at(3, answer_with(4_294_967_295)),
    "crash": lambda: misbehave_at(3, talk_and_die),
    "exit_cleanly": lambda: misbehave_at(3, lambda _line, _request: os._exit(0)),
    "killed": lambda: misbehave_at(3, lambda _line, _request: os.kill(os.getpid(), signal.SIGSEGV)),
    "killed_oddly": lambda: misbehave_at(3, lambda _line, _request: os.kill(os.getpid(), 40)),
    "close_stream": lambda: misbehave_at(3, close_stream),
    "half_close": lambda: misbehave_at(3, half_close),
    "never_answer": lambda: misbehave_at(3, lambda _line, _request: None),
    "one_illegal": lambda: misbehave_at(
        3, lambda line, r: answer_with(19)(line, r) if r.request_id == 3 else line.answer(r)
    ),
    "answer_late": lambda: misbehave_at(1, answer_late),
    "answer_thrice": lambda: misbehave_at(1, answer_thrice),
    "answer_unasked": lambda: misbehave_at(1, answer_unasked),
    "flood": lambda: misbehave_at(3, flood),
    "take_notes": lambda: misbehave_at(1, take_notes),
    "unknown_fields": lambda: misbehave_at(
        1,
        lambda line, r: line.say(
            codec.write_decision(Decision(r.request_id, r.legal_actions[0])) + b"\xa2\x06\x02hi"
        ),
    ),
}

if __name__ == "__main__":
    try:
        MODES[sys.argv[1]]()
    except grpc.RpcError as error:
        print("the host ended it:", error.code().name, error.details(), file=sys.stderr)
