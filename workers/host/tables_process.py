"""Keeps the process of a host's tables alive, from the host's main process, and ends it with the host."""

import logging
import os
import subprocess
import sys
import threading
from typing import Final

from workers.host.config import number_of_tables

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 5.0
GRACE_SECONDS: Final = 10.0
"""For giving the tables back; after that it is killed."""


class TablesProcess:
    """The process, which is started again whenever it ends while the host goes on."""

    def __init__(self) -> None:
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None

    def start(self) -> None:
        """Start it, unless this host plays no tables."""
        if number_of_tables():
            self._keeper = threading.Thread(target=self._keep, name="tables", daemon=True)
            self._keeper.start()

    def _keep(self) -> None:
        while not self._ending.is_set():
            with self._lock:
                if self._ending.is_set():
                    return
                command = [sys.executable, "-m", "workers.host.table_host", str(os.getpid())]
                self._process = subprocess.Popen(command)
            code = self._process.wait()
            if not self._ending.is_set():
                log.warning("the process of the tables ended with code %s and is started again", code)
                self._ending.wait(AGAIN_SECONDS)

    def stop(self) -> None:
        """End it and wait for that, so that nothing of it outlives the host."""
        with self._lock:
            self._ending.set()
        if self._process is None or self._keeper is None:
            return
        self._process.terminate()
        self._keeper.join(GRACE_SECONDS)
        if self._keeper.is_alive():
            self._process.kill()
            self._keeper.join()
