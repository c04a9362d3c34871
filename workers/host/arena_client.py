"""The arena's HTTP API, as match hosts call it. Every call may be repeated: the arena acts on it once."""

import http.client
import json
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from workers.host.assignment import Assignment, read_assignment
from workers.host.config import HostConfig
from workers.match.strict import DataError

DEFINITE = {400, 403, 404, 409}
LARGEST_ANSWER = 64 * 1024 * 1024
LONGEST_LINE = 10_000


class ArenaError(Exception):
    """The arena did not answer, or its answer makes no sense. Try again later."""


class ArenaRefusedError(Exception):
    """The arena refused, and said why. Trying again is pointless."""


@dataclass(frozen=True)
class AttemptClaim:
    """This host's claim to an attempt: the arena's token, and the key that the host chose."""

    attempt_id: int
    token: str
    key: str

    def path(self, verb: str) -> str:
        return f"/host/v1/attempts/{self.attempt_id}/{verb}"

    def headers(self) -> dict[str, str]:
        return {"X-Attempt-Token": self.token, "X-Attempt-Key": self.key}


class ArenaClient:
    """One connection, kept open between calls. Not thread-safe."""

    def __init__(self, config: HostConfig, timeout: float = 10) -> None:
        self.config = config
        self.timeout = timeout
        self._connection: http.client.HTTPConnection | None = None

    def send_host_heartbeat(self, state: dict[str, Any]) -> dict[str, Any]:
        """Tell the arena the state of this host; return the answer, which says whether it is paused."""
        clock = {"X-Host-Clock": f"{time.time():.3f}"}  # decides nothing: `manage.py doctor` compares it
        answer = self._post(f"/host/v1/hosts/{quote(self.config.name)}/beat", state, clock)
        if not isinstance(answer, dict) or not isinstance(answer.get("paused"), bool):
            raise ArenaError(f"its answer to a heartbeat cannot be understood: {answer!r:.200}")
        return answer

    def claim(self, claim: AttemptClaim) -> Assignment:
        answer = self._post(claim.path("claim"), {"host": self.config.name}, claim.headers())
        try:
            return read_assignment(answer)
        except DataError as error:
            raise ArenaError(f"its assignment cannot be understood: {error}") from error

    def beat(self, claim: AttemptClaim) -> bool:
        """Renew the lease of the attempt; return False if it must be abandoned."""
        answer = self._post(claim.path("beat"), {}, claim.headers())
        return isinstance(answer, dict) and answer.get("abandon") is False

    def show_frames(self, claim: AttemptClaim, frames: list[dict[str, Any]]) -> None:
        self._post(claim.path("frames"), {"frames": frames}, claim.headers())

    def beat_tables(self, room: int, claims: list[AttemptClaim]) -> Any:
        """Keep the tables of these claims; return what is new about them, and up to `room` that wait."""
        tables = [{"attempt": one.attempt_id, "token": one.token, "key": one.key} for one in claims]
        data = {"host": self.config.name, "room": room, "tables": tables}
        return self._post("/host/v1/tables/beat", data, {})

    def claim_table(self, claim: AttemptClaim) -> Any:
        """Claim a table with people; return the assignment and what has happened there."""
        path = f"/host/v1/tables/{claim.attempt_id}/claim"
        return self._post(path, {"host": self.config.name}, claim.headers())

    def record_actions(self, claim: AttemptClaim, played: dict[str, Any]) -> None:
        """Have the actions of a table recorded."""
        self._post(f"/host/v1/tables/{claim.attempt_id}/actions", played, claim.headers())

    def follow_tables(self) -> Iterator[bytes]:
        """Yield a line whenever something happens at a table, until the connection breaks."""
        connection = self._connect()
        try:
            connection.request(
                "GET", "/host/v1/tables/news", headers={"Authorization": f"Bearer {self.config.key}"}
            )
            response = connection.getresponse()
            if response.status != 200:
                raise ArenaError(f"it answered {response.status} {response.reason}")
            while line := response.readline(LONGEST_LINE):
                yield line
        except (OSError, http.client.HTTPException) as error:
            raise ArenaError(f"{self.config.arena_url} does not answer: {error!r}") from error
        finally:
            connection.close()

    def give_back(self, claim: AttemptClaim, note: str, host_at_fault: bool) -> None:
        self._post(
            claim.path("give-back"), {"note": note[:9000], "host_at_fault": host_at_fault}, claim.headers()
        )

    def report(self, claim: AttemptClaim, report: Any) -> None:
        """Return once the report is recorded; raise ArenaRefusedError if it never will be."""
        self._post(claim.path("report"), report, claim.headers())

    def fetch(self, path: str) -> tuple[bytes, str]:
        """Return a file of the arena, and its SHA-256 as the arena states it."""
        response, body = self._request("GET", path, None, {})
        return body, response.headers.get("X-Content-SHA256", "")

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _post(self, path: str, data: Any, headers: dict[str, str]) -> Any:
        _, body = self._request("POST", path, json.dumps(data).encode(), headers)
        try:
            return json.loads(body)
        except ValueError:
            raise ArenaError("its answer is not JSON") from None

    def _request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        headers = {
            **headers,
            "Authorization": f"Bearer {self.config.key}",
            "Content-Type": "application/json",
        }
        is_fresh = self._connection is None
        try:
            response, answer = self._exchange(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if is_fresh:
                raise ArenaError(f"{self.config.arena_url} does not answer: {error!r}") from error
            # The arena may have closed an idle connection; that does not mean that it is down.
            return self._request(method, path, body, headers)
        if response.status in DEFINITE and (reason := read_reason(answer)):
            raise ArenaRefusedError(reason)
        if response.status != 200:
            raise ArenaError(
                f"it answered {response.status} {response.reason}. {read_reason(answer)}".strip()
            )
        return response, answer

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        if self._connection is None:
            self._connection = self._connect()
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        answer = response.read(LARGEST_ANSWER)
        if response.will_close:
            self.close()
        return response, answer

    def _connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.config.arena_url)
        if parts.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(parts.netloc, timeout=self.timeout, context=context)
        return http.client.HTTPConnection(parts.netloc, timeout=self.timeout)


def read_reason(body: bytes) -> str:
    try:
        reason = json.loads(body)["reason"]
    except (ValueError, TypeError, KeyError):
        return ""
    return reason if isinstance(reason, str) else ""
