"""Tables with people: from a decision to the updated board, with 20 tables at once on one host.

Each person is a thread with connections of its own, as a browser has: it reads the stream of its seat, thinks
for half a second to one and a half, sends a legal action at random, and waits for the next frames.
"""

import http.client
import json
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import django

from bench.figures import figure

TABLES: Final = 20
SECONDS: Final = 60
THINKS: Final = (0.5, 1.5)


class PersonAtTable(threading.Thread):
    """Somebody who plays against a house bot from a network address of their own."""

    def __init__(self, port: int, number: int, until: float) -> None:
        super().__init__(daemon=True)
        self.until = until
        self.chance = random.Random(number)
        self.connection = self._connect(port, number)
        self.stream = self._connect(port, number)
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.table = ""
        self.took: list[float] = []
        self.refused: list[str] = []

    def _connect(self, port: int, number: int) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", port, 60, source_address=(f"127.0.1.{number + 1}", 0))

    def sit_down(self) -> None:
        """Open a table, as the form does."""
        page = self._ask("GET", "/play/").decode()
        found = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', page)
        self.token = found[1] if found else ""
        form = f"csrfmiddlewaretoken={self.token}&first=house-greedy&edition=english&pace=600&on_leaving=bot"
        self._ask("POST", "/play/", form, "application/x-www-form-urlencoded")
        self.table = next(name for name in self.cookies if name.startswith("seat-")).removeprefix("seat-")

    def _ask(self, method: str, path: str, body: str = "", kind: str = "application/json") -> bytes:
        self.connection.request(method, path, body, {**self._headers(), "Content-Type": kind})
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
        """Play until the time is up or the game is over."""
        sent = 0.0
        for name, data in self._events():
            if name == "frames" and sent:
                self.took.append(time.monotonic() - sent)
                sent = 0.0
            if time.monotonic() > self.until or (name == "table" and data["state"] == "over"):
                return
            if name == "turn" and data["legal"] and data["answer"] is None:
                time.sleep(self.chance.uniform(*THINKS))
                sent = time.monotonic()
                decision = {"number": data["number"], "action": self.chance.choice(data["legal"])}
                self._ask("POST", f"/play/{self.table}/decide", json.dumps(decision))


def main() -> None:
    """Measure on an arena of its own, with everything on this machine."""
    django.setup()
    from bench._running_arena import RunningArena

    with tempfile.TemporaryDirectory(prefix="aztlan-tables-") as folder:
        arena = RunningArena(Path(folder))
        try:
            for server in arena.servers:
                arena.start_server(server)
            arena.migrate()
            with arena.database():
                measure(arena)
        finally:
            arena.end()


def measure(arena: Any) -> None:
    from arena.bots.house import load_house_bot
    from arena.bots.models import Bot, Status, Version
    from arena.hosts.models import Attempt
    from bench._running_arena import wait_for

    arena.start("web")
    arena.start_host("host-1", processes=1)
    wait_for(lambda: arena.has_beaten("host-1"), "the host has shown itself")
    version = load_house_bot("greedy")
    if version is None:
        raise SystemExit("The house bot greedy cannot be loaded.")
    Version.objects.filter(pk=version.pk).update(status=Status.ACTIVE)
    Bot.objects.filter(pk=version.bot_id).update(active_version=version)
    people = [PersonAtTable(arena.port, number, time.monotonic() + 600) for number in range(TABLES)]
    for person in people:
        person.sit_down()
    running = Attempt.objects.filter(match__purpose="play", state=Attempt.State.RUNNING)
    wait_for(lambda: running.count() == TABLES, "every table is played")
    until = time.monotonic() + SECONDS
    for person in people:
        person.until = until
        person.start()
    for person in people:
        person.join(SECONDS + 60)
    took = sorted(one for person in people for one in person.took)
    refused = [one for person in people for one in person.refused]
    if refused:
        print(refused[:3], file=sys.stderr)
    figure("tables at once", TABLES)
    figure("decisions", len(took), at_least=TABLES)
    figure("refused", len(refused), at_most=0)
    figure("decision to updated board, median", 1000 * took[len(took) // 2], "ms")
    figure("decision to updated board, p95", 1000 * took[len(took) * 95 // 100], "ms", at_most=150)


if __name__ == "__main__":
    main()
