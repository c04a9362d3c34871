"""*Write a bot in ten minutes*, walked word by word in two terminals, with nothing changed but the port.

What other pages show for a running arena is run in the same one: to start it costs most.
"""

import json
import os
import re
import socket
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.embedded.home import Home
from arena.embedded.leftovers import leftovers
from tests.arena.processes import kill_all
from tests.docs.commands import ROOT, is_walked, shown_commands
from tests.docs.terminal import Terminal

FLAGS = re.MULTILINE | re.DOTALL
ADDRESS = "localhost:8000"
PATIENCE = 240.0
FOUND_TEAM = (
    "from arena.accounts.models import User; from arena.teams.services import create_team; "
    'create_team(User.objects.get(username="itzel"), "eagle-knights")'
)
"""Teams are founded on a page, so no command shows how."""
DEPENDENCIES = ("grpc", "google", "protobuf", "psutil", "typing_extensions", "__pycache__")


@pytest.fixture
def place() -> Iterator[Path]:
    """A newcomer's home, and the arena's, where sandboxes can reach them."""
    with tempfile.TemporaryDirectory(prefix="arena-guide-") as name:
        place = Path(name)
        place.chmod(0o755)
        (place / "me").mkdir()
        yield place
        # Only where the walk broke off before its Ctrl-C is anything left.
        kill_all(left := list(leftovers(Home(place / "arena"))))
        psutil.wait_procs(left, timeout=120)


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
@pytest.mark.timeout(900)
def test_the_guide_leads_from_nothing_to_a_place_on_the_ladder_and_all_other_commands_go_on_from_there(
    place: Path,
) -> None:
    port = free_port()
    environment = newcomer(place, port)
    # The author has no clone of this project; whoever runs the arena has.
    with closing(Terminal(place / "me", environment)) as mine, closing(Terminal(ROOT, environment)) as other:
        walk = Walk(place / "me", port, mine, other)
        for language, text in re.findall(r"^```(console|python)\n(.*?)^```", page("write-a-bot.md"), FLAGS):
            if language == "python":
                save(text, walk.folder)
            else:
                walk.run_block(text)
        check_standing(port)
        walk.run_others()
        other.enter("\x03")
        other.wait_for("Stopped; the data is kept", PATIENCE)
    assert {command for command in shown_commands() if is_walked(command)} - walk.ran == set()


class Walk:
    """Types what pages show, as somebody does who reads them with two terminals open."""

    def __init__(self, folder: Path, port: int, mine: Terminal, other: Terminal) -> None:
        self.folder, self.port, self.mine, self.other = folder, port, mine, other
        self.password = ""
        self.ran: set[str] = set()

    def run_block(self, text: str) -> None:
        for line in text.splitlines():
            self.run(line.removeprefix("$ "))

    def run(self, shown: str, **places: str) -> str:
        """Type one command, with the arena's own port for the usual one."""
        self.ran.add(shown)
        command = shown.replace(ADDRESS, f"localhost:{self.port}")
        for name, value in places.items():
            command = command.replace(name, value)
        if command == "make up":
            self.password = start_arena(self.other, self.port)
            wait_for_package(self.port)
            return ""
        if command.startswith("pip install "):
            return self.install(command)
        if command.startswith("aztlan login "):
            return self.sign_in(command)
        printed = self.mine.run(command, PATIENCE)
        if "--wait-for my-bot" in command:
            assert re.search(r"My bot \(my-bot, by itzel\)  <$", printed, re.MULTILINE)
        return printed

    def install(self, command: str) -> str:
        """Install beside proto-plus, whose module is called `proto` as our own folder is."""
        self.mine.run("pip install --quiet proto-plus", PATIENCE)
        before = self.installed()
        printed = self.mine.run(command, PATIENCE)
        ours = {name for name in self.installed() - before if not name.startswith(DEPENDENCIES)}
        assert ours
        assert all(name.startswith("aztlan") for name in ours), ours
        assert "site-packages/proto/" in self.mine.run(
            "python -c 'import aztlan, proto; print(proto)'", PATIENCE
        )
        return printed

    def installed(self) -> set[str]:
        [library] = (self.folder / "aztlan-env").glob("lib/python*/site-packages")
        return {entry.name for entry in library.iterdir()}

    def sign_in(self, command: str) -> str:
        self.mine.enter(f"{command}\n")
        if " -u " not in command:
            self.mine.wait_for("Username: ", PATIENCE)
            self.mine.enter("itzel\n")
        self.mine.wait_for("Password: ", PATIENCE)
        printed = self.mine.run(self.password, PATIENCE)
        assert "Signed in" in printed
        assert self.password not in printed
        return printed

    def run_others(self) -> None:
        """Run what other pages, and sentences of this one, show for an arena that runs."""
        bot = self.folder / "my-bot" / "bot.py"
        bot.write_text(bot.read_text() + "# changed: the next version\n")
        for block in re.findall(r"^```sh\n(.*?)^```", page("api.md"), FLAGS):
            self.run_block(block)
        bot.write_text(bot.read_text() + "# changed again: it has to prove better\n")
        self.run("aztlan upload my-bot --when-better")
        self.run("aztlan play --help")
        self.run("aztlan logs my-bot")
        assert "onnxruntime" in self.run("aztlan runtime --arena")
        found = re.search(
            r"^(\w{10})  ",
            self.mine.run("aztlan matches --bot my-bot --state finished", PATIENCE),
            re.MULTILINE,
        )
        assert found
        assert "my-bot version" in self.run("aztlan logs --match ID", ID=found[1])
        [event] = re.findall(
            r"^python manage.py tournament .*$", page("organiser/run-a-tournament.md"), re.MULTILINE
        )
        self.mine.run(f"cd {ROOT} && . .venv/bin/activate", PATIENCE)
        assert re.search(r"round 3: 3 games played\s+1\. .*  3\. ", self.run(event), re.DOTALL)
        self.mine.run(f"python manage.py shell --command '{FOUND_TEAM}'", PATIENCE)
        (self.folder / "cup.json").write_text(read(self.port, "/tournaments/night-cup/export.json"))
        self.mine.run("cd ~ && . aztlan-env/bin/activate", PATIENCE)
        self.mine.run("pip install --quiet py4swiss", PATIENCE)  # the night cup is a Swiss event
        assert "every seed, pairing, game and place follows" in self.run("aztlan verify-tournament cup.json")
        self.run('aztlan upload my-bot --bot golden-eagle --create "Golden eagle" --team eagle-knights')
        assert "Golden eagle" in self.run("aztlan bots --team eagle-knights")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


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
    found = terminal.wait_for(r"(?s)runs at ([^\s;]+);? .*itzel +(\S+) .*administrator", PATIENCE)
    assert found[1] == f"http://localhost:{port}/"
    return found[2]


def wait_for_package(port: int) -> None:
    """Wait until the arena's home page says how to install `aztlan`."""
    deadline = time.monotonic() + PATIENCE
    while f"pip install --index-url http://localhost:{port}/simple/ aztlan" not in read(port, "/"):
        assert time.monotonic() < deadline, "the arena has not built its package"


def check_standing(port: int) -> None:
    """The bot stands on the ladder for everybody: in the API and on the page."""
    rows = read(port, "/api/v1/ladders/2-seats/standings")
    mine = next(row for row in json.loads(rows) if row["bot"] == "my-bot")
    assert mine["owner"] == "itzel"
    assert mine["games"] >= 1
    house = [row for row in json.loads(rows) if row["bot"].startswith("house-")]
    assert any(row["games"] for row in house), "no house bot has played a rated match"
    assert "My bot" in read(port, "/ladders/2-seats/")
    matches: dict[str, Any] = json.loads(
        read(port, "/api/v1/matches?bot=my-bot&purpose=ladder&state=finished")
    )
    seats = [seat for match in matches["results"] for seat in match["bots"] if seat["name"] == "My bot"]
    assert seats
    assert not [seat for seat in seats if seat.get("fault")]


def read(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=120) as answer:
        return str(answer.read().decode())
