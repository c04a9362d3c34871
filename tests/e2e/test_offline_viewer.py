"""`aztlan view` in a real browser: as a page of its own server, and as one file from disk."""

import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from aztlan.cli import main
from aztlan.house import HOUSE
from aztlan.local.table import play_game

HOSTILE = "</script><script>document.title='taken'</script>"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game of three; one of them has a name that would like to be markup."""
    bots = [HOUSE["random"](seed) for seed in range(3)]
    bots[0].name = HOSTILE
    played, _ = play_game(bots, bytes(32))
    path = tmp_path / "game.json"
    path.write_text(played.to_json(), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test with whatever goes wrong in it."""
    page = browser.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert not troubles


def check_it_plays(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#viewer")).to_have_class(re.compile("ready"))
    page.keyboard.press("End")
    expect(page.locator("#viewer")).to_contain_text("The end")
    page.get_by_role("combobox").last.select_option("seat1")
    expect(page).to_have_url(re.compile("view=seat1"))
    assert page.evaluate("window.viewer.board.image.naturalWidth") > 0
    assert HOSTILE in page.title()


def test_one_file_works_from_disk_alone(record: Path, tmp_path: Path, page: Page) -> None:
    out = tmp_path / "elsewhere" / "game.html"
    out.parent.mkdir()
    assert main(["view", str(record), "--html", str(out)]) == 0
    check_it_plays(page, out.as_uri())


def test_it_serves_the_viewer_on_this_machine(record: Path, page: Page) -> None:
    command = [sys.executable, "-m", "aztlan.cli", "view", str(record), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        found = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert found
        check_it_plays(page, found[0])
        for name in ("..%2f..%2fetc%2fpasswd", "frames-seat9", "nothing.js"):
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(found[0] + name)
        server.terminate()


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("no such file.json", "neither a file here nor the id of a match"),
        ("bot.toml", "is not a record of a game that can be shown"),
    ],
)
def test_what_is_no_game_is_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.toml").write_text('name = "no record"\n')
    assert main(["view", game, "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_without_an_arena_a_match_id_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZTLAN_URL", "http://127.0.0.1:9")
    assert main(["view", "abcdefghij"]) == 2
    assert "does not answer" in capsys.readouterr().err
