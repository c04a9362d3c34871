"""The engine's files: what they are, how they are sent, and under which policy they run."""

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena.browser.engine_archive import engine_archive
from arena.browser.pyodide_package import is_fetched
from arena.browser.selectors import engine_page, release
from arena.csp import DEFAULT
from tests.arena.cast import ask_for, finish, make_bot

needs_pyodide = pytest.mark.skipif(
    not is_fetched(), reason="Pyodide was not fetched: python -m arena.browser.pyodide_package"
)
# A game against a house bot, in a Python that has nothing but the archive and its standard library.
ALONE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from aztlan.in_browser.door import Door
door = Door()
def ask(**message):
    return json.loads(door.answer(json.dumps(message)))["answer"]
turn = ask(kind="play", seats=[None, "greedy", "settler", "warlord"], edition="english")["turn"]
while turn["legal"]:
    turn = ask(kind="apply", number=turn["number"], action=turn["legal"][0])["turn"]
print(turn["number"])
"""


def test_the_archive_is_the_same_each_time_and_has_sources_only() -> None:
    assert engine_archive.__wrapped__() == engine_archive()
    names = zipfile.ZipFile(io.BytesIO(engine_archive())).namelist()
    assert {Path(name).suffix for name in names} == {".py", ".json"}
    assert "engine/state.py" in names
    assert "aztlan/__init__.py" not in names


def test_the_archive_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    zipfile.ZipFile(io.BytesIO(engine_archive())).extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 20


@needs_pyodide
def test_every_file_is_cached_for_ever_and_has_the_hash_that_pages_name(client: Client) -> None:
    page = engine_page()
    assert page
    for name, wanted in page["files"].items():
        plain = client.get(page["folder"] + name)
        packed = client.get(page["folder"] + name, headers={"Accept-Encoding": "gzip"})
        assert hashlib.sha256(plain.content).hexdigest() == wanted["sha256"]
        assert len(plain.content) == wanted["size"]
        assert len(packed.content) <= len(plain.content)
        for answer in (plain, packed):
            assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
            assert "Accept-Encoding" in answer["Vary"]


@needs_pyodide
def test_only_the_worker_may_compile_webassembly(client: Client) -> None:
    page = engine_page()
    assert page
    policy = client.get(page["worker"])["Content-Security-Policy"]
    assert policy == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    for name in page["files"]:
        assert client.get(page["folder"] + name)["Content-Security-Policy"] == DEFAULT
    assert client.get("/play/offline/")["Content-Security-Policy"] == DEFAULT
    assert "wasm" not in DEFAULT


@needs_pyodide
def test_what_the_browser_downloads_is_said_in_numbers_of_the_readers_language(client: Client) -> None:
    page = engine_page()
    assert page
    size = f"{page['sent'] / 1e6:.1f}"
    assert f"({size} MB" in client.get("/play/offline/").content.decode()
    french = client.get("/play/offline/", headers={"Accept-Language": "fr"}).content.decode()
    assert f"({size.replace('.', ',')}\xa0Mo" in french


@needs_pyodide
@pytest.mark.parametrize("address", ["engine/0123456789abcdef/engine.zip", "engine/{release}/passwd"])
def test_other_releases_and_names_are_not_there(client: Client, address: str) -> None:
    found = release()
    assert found
    answer = client.get("/" + address.format(release=found.name))
    assert answer.status_code == 404
    assert "reload the page" in answer.content.decode()


@pytest.mark.django_db
def test_without_pyodide_pages_do_without_it(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_PYODIDE", str(tmp_path))
    match = ask_for([make_bot("jaguar"), make_bot("quetzal")])
    finish(match)
    html = client.get(f"/matches/{match.public_id}/").content.decode()
    assert "aztlan verify" in html
    assert "Verify on your own machine" not in html
    assert "no engine for browsers yet" in client.get("/play/offline/").content.decode()
    assert client.get("/engine/0123456789abcdef/worker.js").status_code == 404


@needs_pyodide
@pytest.mark.django_db
def test_a_match_that_is_not_over_cannot_be_verified_yet(client: Client) -> None:
    match = ask_for([make_bot("jaguar"), make_bot("quetzal")])
    assert "verify-page" not in client.get(f"/matches/{match.public_id}/").content.decode()
    finish(match)
    html = client.get(f"/matches/{match.public_id}/").content.decode()
    told: Any = json.loads(html.split('<script id="verify-page" type="application/json">')[1].split("<")[0])
    assert told["expected"]["commitment"] == match.seed_commitment
    assert len(told["expected"]["scores"]) == 2
