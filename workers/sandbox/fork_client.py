"""The match host's end of the fork server: starts that process once and asks it to fork."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from workers.sandbox.base import SandboxError
from workers.sandbox.fork_server import ForkRequest

END_WITHIN = 10.0
PACKAGE = __name__.rpartition(".")[0]
PROJECT = Path(__file__).resolve().parents[PACKAGE.count(".") + 1]
PROGRAM = f"""
import sys
sys.path.insert(0, {str(PROJECT)!r})
from {PACKAGE}.fork_server import main
del sys.path[0]
main()
"""


class ForkClient:
    """A running fork server. `missing` names what it could not import."""

    def __init__(
        self, python: Sequence[str], env: dict[str, str], paths: list[str], preload: list[str]
    ) -> None:
        """python: the interpreter's command line; preload: modules to import from `paths` for warm starts."""
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen(
            [*python, "-c", PROGRAM],
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            env=env,
            cwd="/",
        )
        theirs.close()
        self.control.send(json.dumps([paths, preload]).encode())
        answer = self.control.recv(65536)
        if not answer:
            raise SandboxError(
                f"The fork server ended at once with code {self.process.wait()}; its message is above."
            )
        self.missing: list[str] = json.loads(answer)

    def fork(self, output: int, artifact: int, status: int, request: ForkRequest) -> None:
        """Have a process forked that does what is requested, with these descriptors."""
        file = os.memfd_create("request", os.MFD_CLOEXEC)
        try:
            os.write(file, json.dumps(request).encode())
            os.lseek(file, 0, os.SEEK_SET)
            socket.send_fds(self.control, [b"fork"], [output, artifact, status, file])
        except OSError as error:
            raise SandboxError(f"The fork server is gone ({error}): restart the match host.") from error
        finally:
            os.close(file)

    def close(self) -> None:
        """End the fork server and everything that it forked; kill it if it does not end by itself."""
        self.control.close()
        # Polled: `Popen.wait` sleeps by the clock, which may be wrong on a host (libfaketime: EINVAL).
        ended = select.poll()
        descriptor = os.pidfd_open(self.process.pid)
        try:
            ended.register(descriptor, select.POLLIN)
            if not ended.poll(END_WITHIN * 1000):
                self.process.kill()
        finally:
            os.close(descriptor)
        self.process.wait()
