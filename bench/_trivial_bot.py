"""A bot that thinks nothing: it takes the legal action in the middle. With `echo` it does not even read."""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import grpc

from proto.bot.v1 import bot_pb2 as pb
from proto.messages import PLAY, PROTOCOL_VERSION

HELLO = pb.BotMessage(
    hello=pb.Hello(protocol_version=PROTOCOL_VERSION, bot_name="trivial")
).SerializeToString()
ANSWER = pb.BotMessage(decision=pb.Decision(request_id=100, action=1024)).SerializeToString()


def reply(data: bytes) -> bytes | None:
    """The answer to a message of the host, if it wants one."""
    message = pb.HostMessage.FromString(data)
    if message.HasField("decision_request"):
        request = message.decision_request
        legal = request.legal_actions
        answer = pb.BotMessage()
        answer.decision.request_id, answer.decision.action = request.request_id, legal[len(legal) // 2]
        return answer.SerializeToString()
    return None


async def play(echo: bool) -> None:
    async with grpc.aio.insecure_channel("unix:" + os.environ["AZTLAN_SOCKET"]) as channel:
        call: Any = channel.stream_stream(PLAY)()
        await call.write(HELLO)
        while (data := await call.read()) is not grpc.aio.EOF:
            if answer := ANSWER if echo else reply(data):
                await call.write(answer)


if __name__ == "__main__":
    loops = import_module("uvloop" if find_spec("uvloop") else "asyncio")  # in a sandbox there is no uvloop
    loops.run(play("echo" in sys.argv))
