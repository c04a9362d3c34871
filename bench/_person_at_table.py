"""Somebody at a table, as a browser is: a thread with two connections and a network address of its own."""

import http.client
import json
import random
import re
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

THINKS: Final = (0.5, 1.5)
FORM: Final = "csrfmiddlewaretoken={}&first=house-greedy&edition=english&pace=600&on_leaving=bot"


class PersonAtTable(threading.Thread):
    """Plays against a house bot: thinks for about a second, sends a legal action at random, waits for frames."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__(daemon=True)
        self.until = 0.0
        self.asked = threading.Event()
        self.begin = threading.Event()
        self.chance = random.Random(number)
        self.connection = self._connect(port, number)
        self.stream = self._connect(port, number)
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.table = ""
        self.took: list[float] = []
        self.refused: list[str] = []

    def _connect(self, port: int, number: int) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", port, 60, source_address=(f"127.0.{number + 1}.1", 0))

    def sit_down(self) -> None:
        """Open a table, as the form does."""
        page = self._ask("GET", "/play/").decode()
        found = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', page)
        self.token = found[1] if found else ""
        answer = self._ask("POST", "/play/", FORM.format(self.token), "application/x-www-form-urlencoded")
        seat = next((name for name in self.cookies if name.startswith("seat-")), None)
        if seat is None:
            raise SystemExit(f"A table could not be opened: {self.refused or answer[-2000:]!r}")
        self.table = seat.removeprefix("seat-")

    def play_until(self, moment: float) -> None:
        self.until = moment
        self.begin.set()

    def _ask(self, method: str, path: str, body: str = "", kind: str = "application/json") -> bytes:
        headers = {**self._headers(), "Content-Type": kind}
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
        except (OSError, http.client.HTTPException):  # the server closes what is idle for 5 s
            self.connection.close()
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
        content = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        if answer.status >= 400:
            self.refused.append(f"{answer.status} {content[:200]!r}")
        return content

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "X-CSRFToken": self.token}

    def _events(self) -> Iterator[tuple[str, Any]]:
        self.stream.request("GET", f"/play/{self.table}/events", headers=self._headers())
        answer, name = self.stream.getresponse(), ""
        while line := answer.readline():
            if line.startswith(b"event: "):
                name = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])

    def run(self) -> None:
        """Wait for the signal at the first question; then play until the time is up or the game is over."""
        sent = 0.0
        for name, data in self._events():
            if name == "frames" and sent:
                self.took.append(time.monotonic() - sent)
                sent = 0.0
            if (self.begin.is_set() and time.monotonic() > self.until) or (
                name == "table" and data["state"] == "over"
            ):
                return
            if name == "turn" and data["legal"] and data["answer"] is None:
                self.asked.set()
                self.begin.wait()
                time.sleep(self.chance.uniform(*THINKS))
                sent = time.monotonic()
                decision = {"number": data["number"], "action": self.chance.choice(data["legal"])}
                self._ask("POST", f"/play/{self.table}/decide", json.dumps(decision))
