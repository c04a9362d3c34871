"""End what a killed earlier run left behind before the same data is opened again."""

import signal
from collections.abc import Iterator

import psutil

from arena.embedded.home import Home
from arena.embedded.process import MARK

GRACE_SECONDS = 10


def leftovers(home: Home) -> Iterator[psutil.Process]:
    """Yield the processes of earlier runs on this folder. Only the holder of its lock may ask."""
    data_folders = {str(home.postgres), str(home.redis)}
    own = psutil.Process().pid
    for process in psutil.process_iter():
        try:
            # PostgreSQL overwrites its environment to show titles; it is known by its working folder.
            is_server = process.name() in {"postgres", "valkey-server"} and process.cwd() in data_folders
            if process.pid != own and (is_server or process.environ().get(MARK) == str(home.path)):
                yield process
        except psutil.Error:  # ended meanwhile, or another user's
            continue


def end_leftovers(home: Home) -> int:
    """End them, gently first, and return how many there were."""
    found = list(leftovers(home))
    for process in found:
        try:
            process.send_signal(signal.SIGINT if process.name() == "postgres" else signal.SIGTERM)
        except psutil.NoSuchProcess:
            continue
    _, alive = psutil.wait_procs(found, timeout=GRACE_SECONDS)
    for process in alive:
        process.kill()
    psutil.wait_procs(alive, timeout=GRACE_SECONDS)
    return len(found)
