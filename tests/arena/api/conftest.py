"""An author at a terminal."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_django.live_server_helper import LiveServer

from aztlan.cli import challenge as challenge_command
from aztlan.cli import ladder as ladder_command
from aztlan.cli import main
from aztlan.cli import status as status_command

if TYPE_CHECKING:
    from arena.accounts.models import User


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("AZTLAN_URL", raising=False)
    monkeypatch.delenv("AZTLAN_TOKEN", raising=False)
    monkeypatch.setattr(status_command, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(challenge_command, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(ladder_command, "PAUSE_SECONDS", 0.05)
    return tmp_path


@pytest.fixture
def signed_in(live_server: LiveServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> "User":
    from tests.arena.people import PASSWORD, make_person

    itzel = make_person("itzel")
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    assert main(["login", live_server.url, "-u", "itzel", "--stdin"]) == 0
    return itzel


@pytest.fixture
def folder(home: Path) -> Path:
    """A bot's folder, with what tools leave behind in it."""
    folder = home / "jaguar"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"junk")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("secret")
    (folder / "bot.toml").write_text('name = "Jaguar"\nruntime = "python"\nentry = "bot.py"\n')
    (folder / "bot.py").write_text("print(1)\n")
    return folder
