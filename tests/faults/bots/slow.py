"""Takes the first legal action, after thinking for a while."""

import os
import queue
import time

import grpc

from proto import codec
from proto.messages import PLAY, PROTOCOL_VERSION, Decision, DecisionRequest, Hello

THINKS_SECONDS = 0.05


def main() -> None:
    answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    answers.put(codec.write_hello(Hello(PROTOCOL_VERSION, "slow")))
    with grpc.insecure_channel("unix:" + os.environ["AZTLAN_SOCKET"]) as channel:
        for data in channel.stream_stream(PLAY)(iter(answers.get, None)):
            message = codec.read_host_message(data)
            if isinstance(message, DecisionRequest):
                time.sleep(THINKS_SECONDS)
                answers.put(codec.write_decision(Decision(message.request_id, message.legal_actions[0])))
        answers.put(None)


main()
