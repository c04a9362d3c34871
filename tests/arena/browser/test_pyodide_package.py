"""Pyodide is fetched with npm, exactly as it is locked, or not at all."""

import hashlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from arena.browser.pyodide_package import (
    PyodideError,
    fetch_pyodide,
    is_fetched,
    main,
    pyodide_folder,
    read_lock,
)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_PYODIDE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def npm_that(sends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put another npm first: it gets the place for the package as its option --pack-destination=..."""
    folder = tmp_path / "bin"
    folder.mkdir()
    npm = folder / "npm"
    npm.write_text(
        f'#!/bin/sh\nfor one in "$@"; do case "$one" in --pack-destination=*) to="${{one#*=}}";; esac; done\n{sends}\n'
    )
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def package_of(files: dict[str, bytes], path: Path) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def test_what_is_fetched_has_the_locked_hashes() -> None:
    if not is_fetched():
        pytest.skip("Pyodide was not fetched: python -m arena.browser.pyodide_package")
    hashes = read_lock()["files"]
    found = {name: hashlib.sha256((pyodide_folder() / name).read_bytes()).hexdigest() for name in hashes}
    assert found == hashes


def test_another_package_than_the_locked_one_is_refused(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = package_of(dict.fromkeys(read_lock()["files"], b"evil"), tmp_path / "evil.tgz")
    npm_that(f'cp "{package}" "$to/pyodide.tgz"', tmp_path, monkeypatch)
    with pytest.raises(PyodideError, match="sent another package"):
        fetch_pyodide()
    assert not is_fetched()
    assert list(empty_cache.iterdir()) == []  # nothing is left behind


def test_npms_own_words_are_passed_on(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm_that('echo "the registry is away" >&2; exit 1', tmp_path, monkeypatch)
    with pytest.raises(PyodideError, match="the registry is away"):
        fetch_pyodide()


def test_without_npm_one_sentence_says_what_to_do(empty_cache: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena.browser.pyodide_package", "--if-missing"],
        env={"PATH": str(tmp_path), "ARENA_PYODIDE": str(empty_cache)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == "Pyodide is missing: npm is not installed: `apt-get install npm`.\n"


def test_what_is_there_is_not_fetched_again(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyodide_folder().mkdir(parents=True)
    monkeypatch.setenv("PATH", "")
    main(["--if-missing"])
    with pytest.raises(PyodideError, match="npm is not installed"):
        main([])
