"""Takes the first legal action, always. Says hello, answers, ends with the match."""

import os
import queue

import grpc

from proto import codec
from proto.messages import PLAY, PROTOCOL_VERSION, Decision, DecisionRequest, Hello, Ping, Pong


def main() -> None:
    answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    answers.put(codec.write_hello(Hello(PROTOCOL_VERSION, "first")))
    with grpc.insecure_channel("unix:" + os.environ["AZTLAN_SOCKET"]) as channel:
        call = channel.stream_stream(PLAY)(iter(answers.get, None))
        for data in call:
            message = codec.read_host_message(data)
            if isinstance(message, Ping):
                answers.put(codec.write_pong(Pong(message.ping_id)))
            elif isinstance(message, DecisionRequest):
                answers.put(codec.write_decision(Decision(message.request_id, message.legal_actions[0])))
        answers.put(None)


main()
