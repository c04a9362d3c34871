"""Bots' files on a host: verified, shared, bounded, and never half there."""

import errno
import io
import os
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from workers.host.assignment import AssignedBot
from workers.host.cache import BotCache, CacheError


def archive_of(text: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("bot.toml", 'name = "bot"\nruntime = "python"\nentry = "main.py"\n')
        archive.writestr("main.py", text)
    return file.getvalue()


class Arena:
    """Has archives, and counts how often each is fetched."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.fetched: list[str] = []

    def add(self, text: str, built: bytes | None = None) -> AssignedBot:
        data = archive_of(text)
        digest = sha256(data).hexdigest()
        self.files[f"/source/{digest}"] = data
        if built:
            self.files[f"/built/{digest}"] = built
        return AssignedBot(
            "bot", digest, f"/source/{digest}", f"/built/{digest}" if built else None,
            f"{digest}-1" if built else None, "python", "main.py",
        )  # fmt: skip

    def fetch(self, path: str) -> tuple[bytes, str]:
        self.fetched.append(path)
        return self.files[path], sha256(self.files[path]).hexdigest()


@pytest.fixture
def arena() -> Arena:
    return Arena()


@pytest.fixture
def cache(tmp_path: Path, arena: Arena) -> BotCache:
    return BotCache(tmp_path, 10_000, arena.fetch)


def test_a_bot_is_fetched_once_and_unpacked(cache: BotCache, arena: Arena) -> None:
    bot = arena.add("print(1)")
    for _ in range(2):
        with cache.source(bot) as folder:
            assert (folder / "main.py").read_text() == "print(1)"
    assert len(arena.fetched) == 1


def test_what_was_built_comes_along_and_can_be_run(cache: BotCache, arena: Arena) -> None:
    with cache.built(arena.add("x", built=b"#!/bin/sh\n")) as built:
        assert built
        assert os.access(built, os.X_OK)
    with cache.built(arena.add("y")) as built:
        assert built is None


def test_other_bytes_than_were_asked_for_are_refused_and_leave_nothing(
    cache: BotCache, arena: Arena, tmp_path: Path
) -> None:
    bot = arena.add("print(1)")
    arena.files[bot.source] = archive_of("print(2)")
    with pytest.raises(CacheError, match="not the one"), cache.source(bot):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_the_hosts_trouble_and_leaves_nothing(
    cache: BotCache, arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("workers.host.cache.extract", full)
    with pytest.raises(CacheError, match="No space left"), cache.source(arena.add("print(1)")):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_least_recently_used_goes_first_but_never_what_is_in_use(tmp_path: Path, arena: Arena) -> None:
    cache = BotCache(tmp_path, 1200, arena.fetch)
    held, old, new = (arena.add(f"# {letter * 500}") for letter in "abc")
    with cache.source(held) as folder:
        with cache.source(old):
            pass
        os.utime(tmp_path / held.sha256, (1, 1))
        os.utime(tmp_path / old.sha256, (2, 2))
        cache.limit = 600
        with cache.source(new):
            assert folder.exists()
            assert not (tmp_path / old.sha256).exists()
    assert {path.name for path in tmp_path.iterdir()} == {held.sha256, new.sha256}


def test_two_processes_that_fetch_the_same_bot_share_one_folder(
    tmp_path: Path, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = arena.add("print(1)")
    other = BotCache(tmp_path, 10_000, arena.fetch)
    fetch: Callable[[str], tuple[bytes, str]] = arena.fetch

    def slow_fetch(path: str) -> tuple[bytes, str]:
        with other.source(bot):  # somebody else is faster
            return fetch(path)

    with BotCache(tmp_path, 10_000, slow_fetch).source(bot) as folder:
        assert (folder / "main.py").exists()
    assert [path.name for path in tmp_path.iterdir()] == [bot.sha256]
