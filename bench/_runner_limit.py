"""The limit of bench.runner: a match's messages, sent by servers that do nothing else to bots that echo."""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc

from bench._runner_matches import Asked, bot
from workers.match.seat_server import OPTIONS, handlers

Bots = Callable[[Path, contextlib.AsyncExitStack], Awaitable[None]]
"""Starts a bot that connects to this socket, and has it ended with the stack."""


async def echo_bot(socket: Path, stack: contextlib.AsyncExitStack) -> None:
    """A bot that does not even read, in a process of its own."""
    running = await bot("echo")(socket)
    stack.push_async_callback(running.wait)
    stack.callback(running.kill)


async def ping_pong(asked: Asked, seats: int, start_bot: Bots = echo_bot) -> float:
    """Send what each seat was asked, one stream a seat; return the seconds it took."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        done = asyncio.Event()
        sockets = [folder / f"seat{seat}.sock" for seat in range(seats)]
        streams = await asyncio.gather(*(_open(socket, done, stack, start_bot) for socket in sockets))
        started = time.perf_counter()
        for group in asked:
            for seat, data in group:
                await streams[seat].write(data)
            for seat, _ in group:
                await streams[seat].read()
        took = time.perf_counter() - started
        done.set()
        return took


async def _open(socket: Path, done: asyncio.Event, stack: contextlib.AsyncExitStack, start_bot: Bots) -> Any:
    """Start a server and its client; return the server's end of their stream."""
    opened = asyncio.get_running_loop().create_future()
    server = grpc.aio.server(options=OPTIONS)
    server.add_generic_rpc_handlers(handlers(_accept(opened, done)))
    server.add_insecure_port(f"unix:{socket}")
    await server.start()
    stack.push_async_callback(server.stop, 1)
    await start_bot(socket, stack)
    return await opened


def _accept(opened: "asyncio.Future[Any]", done: asyncio.Event) -> Callable[[object, Any], Awaitable[None]]:
    async def play(_requests: object, context: Any) -> None:
        await context.read()  # the hello
        opened.set_result(context)
        await done.wait()

    return play
