"""Run the embedded servers for a while, as tests do; `make up` supervises the same servers."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from arena.embedded.home import Home
from arena.embedded.leftovers import end_leftovers
from arena.embedded.postgres import postgres_server
from arena.embedded.process import start, stop
from arena.embedded.redis import redis_server

STOP_SECONDS = 20


@contextmanager
def running_servers(home: Home, durable: bool = True) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Run both servers on the folder's data until the block ends."""
    home.create()
    with ExitStack() as stack:
        stack.enter_context(home.locked("its servers only"))
        end_leftovers(home)
        processes = {}
        for server in (postgres_server(home, durable), redis_server(home, durable)):
            process = processes[server.program.name] = start(server)
            stack.callback(stop, process, server.program.stop_signal, STOP_SECONDS)
        yield processes
