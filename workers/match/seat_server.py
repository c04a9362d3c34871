"""One gRPC server on one unix socket for one seat: bytes in, bytes out, one client.

Each seat has its own server, because bots that share one starve each other when their streams stall. Where a
machine has no unix sockets (`loopback`) it is a port, and `127.0.0.1:PORT` stands for the path.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from proto.messages import MAX_BOT_MESSAGE, PLAY
from workers.polling import prepare_grpc

if TYPE_CHECKING:
    import grpc

READS_WITHIN: Final = 0.5
"""How many seconds a bot that is out may still read what was sent, before it is told why."""
LOOPBACK: Final = "127.0.0.1"
_METADATA_BYTES: Final = 8 * 1024
OPTIONS: Final = (
    ("grpc.max_receive_message_length", MAX_BOT_MESSAGE),
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    ("grpc.max_concurrent_streams", 1),
    # Only uncompressed messages: a small compressed one could expand to any size.
    ("grpc.compression_enabled_algorithms_bitset", 1),
)


def handlers(play: Callable[[object, Any], Awaitable[None]]) -> "tuple[grpc.GenericRpcHandler]":
    """What a server needs to answer the contract's one method with `play`, in bytes."""
    import grpc

    service, _, method = PLAY.strip("/").rpartition("/")
    answer: Any = grpc.stream_stream_rpc_method_handler(play)
    return (grpc.method_handlers_generic_handler(service, {method: answer}),)


class SeatServer:
    """The transport of a seat. `on_message` gets each message of its bot, in the event loop.

    `on_end` is told when the stream has ended, and the error if `on_message` raised one. Sending never blocks
    the caller, however slowly the bot reads.
    """

    def __init__(
        self,
        socket: Path,
        on_message: Callable[[bytes], None],
        on_end: Callable[[BaseException | None], None],
        loopback: bool = False,
    ) -> None:
        self.socket = socket
        self.loopback = loopback
        self.refused_clients = 0
        self._on_message = on_message
        self._on_end = on_end
        self._outbox: deque[bytes] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._stream: asyncio.Task[Any] | None = None
        self._end: tuple[str, str] | None = None
        self._writing = False
        prepare_grpc()
        import grpc

        self._server = grpc.aio.server(options=OPTIONS)
        self._server.add_generic_rpc_handlers(handlers(self._play))

    async def start(self) -> None:
        """Listen. The socket exists when this returns."""
        if self.loopback:
            port = self._server.add_insecure_port(f"{LOOPBACK}:0")
            self.socket = Path(f"{LOOPBACK}:{port}")
        else:
            self._server.add_insecure_port(f"unix:{self.socket}")
        await self._server.start()

    def send(self, data: bytes) -> None:
        """Queue a message to the bot."""
        self._outbox.append(data)
        self._wake_writer()

    def end_stream(self, code: str, details: str) -> None:
        """End the stream with a status of gRPC once what is queued is written.

        A bot that reads nothing is cut off without it.
        """
        if self._end is None:
            self._end = (code, details)
            if self._writing and code != "OK":
                asyncio.get_running_loop().call_later(READS_WITHIN, self._give_up_writing)
            self._wake_writer()

    def _give_up_writing(self) -> None:
        if self._writing and self._stream is not None:
            self._stream.cancel()

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        await self._server.stop(None)

    def _wake_writer(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def _play(self, _requests: object, context: Any) -> None:
        import grpc

        if self._stream is not None:
            self.refused_clients += 1
            await context.abort(
                grpc.StatusCode.ALREADY_EXISTS,
                "this seat already has its bot: open one connection and one stream per match",
            )
        self._stream = asyncio.current_task()
        reader = asyncio.create_task(self._read(context))
        reader.add_done_callback(self._reader_done)
        try:
            await self._write(context)
        except grpc.aio.BaseError:
            return  # the bot has gone
        finally:
            reader.cancel()
        if self._end and self._end[0] != "OK":
            code, details = self._end
            await context.abort(grpc.StatusCode[code], details)

    async def _read(self, context: Any) -> None:
        import grpc

        try:
            while (data := await context.read()) is not grpc.aio.EOF:
                self._on_message(data)
        except grpc.aio.BaseError:
            return  # the bot has gone

    def _reader_done(self, reader: asyncio.Task[None]) -> None:
        self._on_end(None if reader.cancelled() else reader.exception())

    async def _write(self, context: Any) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self._writing = True
            while self._outbox:
                await context.write(self._outbox.popleft())
            self._writing = False
            if self._end:
                return
            self._wake = loop.create_future()
            await self._wake
