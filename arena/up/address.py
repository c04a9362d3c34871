"""Where the web server listens: is the port free, and does it answer?"""

import http.client
import json
import socket
from dataclasses import dataclass
from typing import Any

from workers import env

# Listening everywhere is not an address to go to.
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  recognised, not bound to


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    @classmethod
    def from_environment(cls) -> "Address":
        return cls(env.text("ARENA_HOST", "127.0.0.1"), env.number("PORT", 8000, 1, 65535))

    @property
    def url(self) -> str:
        host = LOOPBACK.get(self.host, self.host)
        name = "localhost" if host in LOOPBACK.values() else host
        return f"http://{name}:{self.port}/"

    def check_free(self) -> None:
        """End the program with a message if the web server could not listen."""
        try:
            family = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0][0]
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((self.host, self.port))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            other = self.port + 1 if self.port < 65535 else 8000
            raise SystemExit(
                f"Port {self.port} on {self.host} cannot be used ({reason}): "
                f"choose another one, for example `make up PORT={other}`."
            ) from None

    def answers(self) -> bool:
        """Return whether the web server answers a request, whatever the answer is."""
        return self._get("/healthz", timeout=1) is not None

    def readiness(self) -> dict[str, Any]:
        """Return what works according to the web server; nothing if it does not answer."""
        try:
            answer = json.loads(self._get("/readyz", timeout=10) or b"")
        except ValueError:
            return {}
        return answer if isinstance(answer, dict) else {}

    def _get(self, path: str, timeout: float) -> bytes | None:
        connection = http.client.HTTPConnection(
            LOOPBACK.get(self.host, self.host), self.port, timeout=timeout
        )
        try:
            connection.request("GET", path)
            return connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
