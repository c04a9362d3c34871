"""*Write a bot in ten minutes*, walked word by word in two terminals, with nothing changed but the port."""

import json
import os
import re
import socket
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.embedded.home import Home
from arena.embedded.leftovers import leftovers
from tests.docs.terminal import Terminal

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "write-a-bot.md").read_text()
BLOCKS = re.findall(r"^```(console|python)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
ADDRESS = "localhost:8000"
PATIENCE = 240.0


@pytest.fixture
def place() -> Iterator[Path]:
    """A newcomer's home, and the arena's, where sandboxes can reach them."""
    with tempfile.TemporaryDirectory(prefix="arena-guide-") as name:
        place = Path(name)
        place.chmod(0o755)
        (place / "me").mkdir()
        yield place
        # Only where the walk broke off before its Ctrl-C is anything left.
        for process in (left := list(leftovers(Home(place / "arena")))):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def newcomer(place: Path, port: int) -> dict[str, str]:
    """The environment of somebody who has set nothing, but for where an arena of theirs would run."""
    return {
        "HOME": str(place / "me"),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "PYTHON": sys.executable,  # the one that made .venv
        "PORT": str(port),
        "ARENA_HOME": str(place / "arena"),
    }


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_guide_leads_from_nothing_to_a_place_on_the_ladder(place: Path) -> None:
    port = free_port()
    environment = newcomer(place, port)
    with closing(Terminal(ROOT, environment)) as mine, closing(Terminal(ROOT, environment)) as other:
        password, ran, printed = "", 0, ""
        for language, text in BLOCKS:
            if language == "python":
                save(text, place / "me")
                continue
            for line in text.splitlines():
                command = line.removeprefix("$ ").replace(ADDRESS, f"localhost:{port}")
                ran += 1
                if command == "make up":
                    password = start_arena(other, port)
                elif command.startswith("aztlan login "):
                    mine.enter(f"{command}\n")
                    mine.wait_for("Password: ", PATIENCE)
                    printed = mine.run(password, PATIENCE)
                    assert "Signed in" in printed
                    assert password not in printed
                else:
                    printed = mine.run(command, PATIENCE)
                if command.startswith("aztlan ladder "):
                    assert re.search(r"My bot \(my-bot, by itzel\)  <$", printed, re.MULTILINE)
        assert ran >= 15
        assert (place / "me/my-bot/bot.py").read_text() in PAGE
        check_standing(port)
        other.enter("\x03")
        other.wait_for("Stopped; the data is kept", PATIENCE)


def save(text: str, folder: Path) -> None:
    """Do as the page says of a file: its first line is its name."""
    name = text.splitlines()[0]
    assert name.startswith("# ")
    path = folder / name.removeprefix("# ")
    assert path.exists(), "the page says to replace it"
    path.write_text(text)


def start_arena(terminal: Terminal, port: int) -> str:
    """Run `make up`, and return the password that it shows for itzel."""
    terminal.enter("make up\n")
    found = terminal.wait_for(r"(?s)runs at (\S+) .*itzel +(\S+) .*administrator", PATIENCE)
    assert found[1] == f"http://localhost:{port}/"
    return found[2]


def check_standing(port: int) -> None:
    """The bot stands on the ladder for everybody: in the API and on the page."""
    rows = read(port, "/api/v1/ladders/2-seats/standings")
    mine = next(row for row in json.loads(rows) if row["bot"] == "my-bot")
    assert mine["owner"] == "itzel"
    assert mine["games"] >= 1
    assert "My bot" in read(port, "/ladders/2-seats/")
    matches: dict[str, Any] = json.loads(
        read(port, "/api/v1/matches?bot=my-bot&purpose=ladder&state=finished")
    )
    seats = [seat for match in matches["results"] for seat in match["bots"] if seat["name"] == "My bot"]
    assert seats
    assert not [seat for seat in seats if seat.get("fault")]


def read(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=30) as answer:
        return str(answer.read().decode())
