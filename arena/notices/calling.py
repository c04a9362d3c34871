"""Calls to servers that we do not trust: they may never answer, or never stop answering."""

import http.client
import io
import socket
import ssl
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.utils.encoding import iri_to_uri

from arena.notices import addresses

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DEADLINE_SECONDS = 10.0
"""For the whole call, from resolving the name to the last header of the answer."""
MOST_BYTES = 64 * 1024
"""Of the headers of the answer; its body is not read."""


def post(url: str, body: bytes, headers: dict[str, str], seconds: float = DEADLINE_SECONDS) -> int:
    """Post to the address and return the status. Redirects are not followed: they could lead inside.

    Raises AddressError, OSError (TimeoutError when time is up) or HTTPException.
    """
    addresses.check_url(url)
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    line = CallConnection(host, port, parts.scheme == "https", time.monotonic() + seconds)
    connection = http.client.HTTPConnection(host, port)
    connection.sock = line  # it has every method of a socket that is used
    try:
        path = iri_to_uri((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()
        line.close()


class CallConnection:
    """A socket for `http.client` whose operations all share one deadline."""

    def __init__(self, host: str, port: int, is_tls: bool, deadline: float) -> None:
        self.deadline = deadline
        # Connect to the very address that was checked: a second look-up might answer differently.
        address = look_up(host, port, self.left())
        self.socket = socket.create_connection((address, port), timeout=self.left())
        try:
            if is_tls:
                self.socket.settimeout(self.left())
                self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=host)
        except BaseException:
            self.socket.close()
            raise

    def left(self) -> float:
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("it took too long")
        return seconds

    def sendall(self, data: bytes) -> None:
        self.socket.settimeout(self.left())
        self.socket.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(CallResponse(self))

    def close(self) -> None:
        self.socket.close()


class CallResponse(io.RawIOBase):
    """The response on a connection, up to MOST_BYTES."""

    def __init__(self, line: CallConnection) -> None:
        self.line = line
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        if self.count >= MOST_BYTES:
            raise OSError("the headers of the answer are too long")
        self.line.socket.settimeout(self.line.left())
        count = self.line.socket.recv_into(buffer)
        self.count += count
        return count


def look_up(host: str, port: int, seconds: float) -> str:
    """Resolve a host in time. The system's resolver has no timeout, so it runs in a thread of its own."""
    found: Future[str] = Future()

    def ask() -> None:
        try:
            found.set_result(addresses.public_address(host, port))
        except BaseException as error:  # noqa: BLE001  raised in the waiting thread
            found.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    return found.result(seconds)
