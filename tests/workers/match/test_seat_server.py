"""The transport of a seat, at the moments that a whole match seldom meets."""

import asyncio
from pathlib import Path

import grpc

from proto.messages import PLAY
from workers.match.seat_server import SeatServer


async def test_a_stream_that_ends_in_the_middle_of_a_write_still_tells_why(tmp_path: Path) -> None:
    heard = asyncio.Event()
    server = SeatServer(tmp_path / "seat.sock", lambda _: heard.set(), lambda _: None)
    await server.start()
    async with grpc.aio.insecure_channel(f"unix:{server.socket}") as channel:
        call = channel.stream_stream(PLAY)()
        await call.write(b"hello")
        await heard.wait()
        server.send(b"question")
        while not server._writing:  # noqa: ASYNC110  there is nothing to be told by
            await asyncio.sleep(0)
        server.end_stream("INVALID_ARGUMENT", "why")
        assert await call.read() == b"question"
        assert await call.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert await call.details() == "why"
    await server.stop()
