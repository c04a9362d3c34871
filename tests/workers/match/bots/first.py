"""Answers with the first legal action, over asyncio. The trivial bot of the tests and of the bench."""

import asyncio
import os

import grpc

from proto.bot.v1 import bot_pb2 as pb
from proto.messages import PLAY


async def play() -> None:
    async with grpc.aio.insecure_channel("unix:" + os.environ["AZTLAN_SOCKET"]) as channel:
        call = channel.stream_stream(PLAY)()
        await call.write(
            pb.BotMessage(hello=pb.Hello(protocol_version=1, bot_name="first")).SerializeToString()
        )
        while (data := await call.read()) is not grpc.aio.EOF:
            message = pb.HostMessage.FromString(data)
            if message.HasField("decision_request"):
                request = message.decision_request
                decision = pb.Decision(request_id=request.request_id, action=request.legal_actions[0])
                await call.write(pb.BotMessage(decision=decision).SerializeToString())
            elif message.HasField("ping"):
                await call.write(
                    pb.BotMessage(pong=pb.Pong(ping_id=message.ping.ping_id)).SerializeToString()
                )


if __name__ == "__main__":
    asyncio.run(play())
