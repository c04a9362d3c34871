"""Compute in a process of its own, so that a web process can answer others meanwhile.

Python runs one thread at a time: a thread that computes slows down every page and every live stream of its
process, however few such threads there are. One such process is enough for a web process, which lets only one
request compute at a time anyway.
"""

import os
import signal
from collections.abc import Callable
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
LONGEST_SECONDS = 60
NICE = 10
"""Whoever waits for a page or a live frame goes before whoever opens a replay for the first time."""


class Helper:
    """The other process, started at its first use and again if it was killed."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.process: SpawnProcess | None = None
        self.connection: Connection | None = None

    def call(self, job: Callable[[], T]) -> T:
        with self.lock:
            try:
                return self._ask(job)
            except (EOFError, ConnectionError):  # it was killed, for instance when memory ran out
                self.stop()
                return self._ask(job)

    def _ask(self, job: Callable[[], T]) -> T:
        connection = self.connection or self._start()
        connection.send(job)
        if not connection.poll(LONGEST_SECONDS):
            self.stop()
            raise TimeoutError(f"{job} took longer than {LONGEST_SECONDS} s")
        is_done, result = connection.recv()
        if not is_done:
            raise result
        answer: T = result
        return answer

    def _start(self) -> Connection:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), name="offload", daemon=True)
        self.process.start()
        theirs.close()
        return self.connection

    def stop(self) -> None:
        if self.connection is not None and self.process is not None:
            self.connection.close()
            self.process.kill()
            self.process.join()
        self.connection = self.process = None


@cache
def helper() -> Helper:
    return Helper()


def offload(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a function of some module without Django returns, called in the other process."""
    result: T = helper().call(partial(function, *args, **kwargs))
    return result


def serve(connection: Connection) -> None:
    """Answer calls until the web process ends, which closes the connection, however it ends."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the web process to handle
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            answer = (True, job())
        except Exception as error:  # noqa: BLE001  whoever called is told
            answer = (False, error)
        connection.send(answer)
