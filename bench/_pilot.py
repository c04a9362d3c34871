"""The least that a match of warm bots costs: processes forked with namespaces of their own, a gRPC stream each.

No rules, no sandbox beyond the namespaces, no queue, no record, no arena: messages of a real match go out and
answers come back. Whole products are measured against it, by the same bots on the same machine. It takes gRPC
as it comes, as the pilot did on which this is modelled; what our own settings would make of it is told beside.
"""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import grpc
import uvloop

from bench._runner_limit import Bots, ping_pong
from bench._runner_matches import AS_IT_COMES, ROOT, SEATS, Asked, listen_in
from bench._trivial_bot import play
from workers.sandbox import linux
from workers.sandbox.base import SOCKET_VARIABLE

FIRST_MATCHES = 2


def pilot_rate(matches: int, processes: int, polling: Mapping[str, str] = AS_IT_COMES) -> float:
    """Matches a minute of so many processes, each on a processor of its own where there is one."""
    with mock.patch.dict(os.environ, polling):
        return _pilot_rate(uvloop.run(listen_in()), matches, processes)


def _pilot_rate(asked: Asked, matches: int, processes: int) -> float:
    fresh = multiprocessing.get_context("spawn")  # gRPC has threads here, which no fork survives
    gate = fresh.Barrier(processes + 1)
    share = [matches // processes] * processes
    working = [fresh.Process(target=work, args=(asked, count, at, gate)) for at, count in enumerate(share)]
    for process in working:
        process.start()
    gate.wait()
    began = time.perf_counter()
    for process in working:
        process.join()
    return sum(share) / (time.perf_counter() - began) * 60


def work(asked: Asked, matches: int, at: int, gate: Any) -> None:
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {processors[at % len(processors)]})
    forker = subprocess.Popen([sys.executable, "-m", "bench._pilot"], stdin=subprocess.PIPE, cwd=ROOT)

    async def play_all(count: int) -> None:
        for _ in range(count):
            await ping_pong(asked, SEATS, warm_bots(forker))

    uvloop.run(play_all(FIRST_MATCHES))
    gate.wait()
    uvloop.run(play_all(matches))
    forker.communicate()


def warm_bots(forker: "subprocess.Popen[bytes]") -> Bots:
    async def launch(socket: Path, _: AsyncExitStack) -> None:
        assert forker.stdin
        forker.stdin.write(f"{socket}\n".encode())
        forker.stdin.flush()

    return launch


def fork_on_request() -> None:
    """Fork a bot for each line of stdin, which names its socket. Bots end with their streams."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    while line := os.read(0, 4096):
        for socket in line.decode().splitlines():
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                linux.unshare(linux.NEW_NAMESPACES)
                if bot := os.fork():
                    os.waitpid(bot, 0)
                else:
                    os.environ[SOCKET_VARIABLE] = socket
                    with suppress(grpc.aio.AioRpcError):  # its stream is cut when the match is over
                        asyncio.run(play(echo=False))
                os._exit(0)


if __name__ == "__main__":
    fork_on_request()
