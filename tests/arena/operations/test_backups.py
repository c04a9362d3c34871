"""What is backed up comes back whole, into an empty database, and its ratings fold to the same values."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from arena.embedded.home import PROJECT
from arena.ladders.results import settle_match
from tests.arena.cast import ask_for, finish, make_bot, make_season

STANDINGS = "select season_id, bot_id, rating, games, wins from ladders_standing order by 1, 2"


def server(database: str) -> str:
    known = connection.settings_dict
    return f"postgresql://{known['USER']}@/{database}?host={known['HOST']}"


@pytest.fixture
def empty_database(transactional_db: None) -> Iterator[str]:
    name = sql.Identifier("restored")
    with psycopg.connect(server("postgres"), autocommit=True) as admin:
        admin.execute(sql.SQL("create database {}").format(name))
        yield server("restored")
        admin.execute(sql.SQL("drop database {} with (force)").format(name))


def manage(home: Path, database: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATABASE_URL": database, "ARENA_HOME": str(home)}
    command = [sys.executable, str(PROJECT / "manage.py"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=PROJECT)


def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as opened:
        return opened.execute(query).fetchall()


def play_a_season() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(3)]
    versions[0].archive.save("whatever.zip", ContentFile(b"the source of a bot"))
    chance = random.Random(4)
    for _ in range(6):
        match = ask_for(chance.sample(versions, 2), season)
        finish(match)
        settle_match(match.pk)


def test_a_restored_arena_folds_to_the_same_ratings(
    empty_database: str, storage: Path, tmp_path: Path
) -> None:
    play_a_season()
    call_command("backup", tmp_path / "backup")
    home = tmp_path / "home"
    done = manage(home, empty_database, "restore", str(tmp_path / "backup"))
    assert done.returncode == 0, done.stderr
    checked = manage(home, empty_database, "fold_ratings", "--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "6 results, 0 values differed" in checked.stdout
    before = rows(server(connection.settings_dict["NAME"]), STANDINGS)
    assert len(before) == 3
    assert rows(empty_database, STANDINGS) == before
    [restored] = [path for path in (home / "media").rglob("*") if path.is_file()]
    assert restored.read_bytes() == b"the source of a bot"
    assert restored.relative_to(home / "media") == next(storage.rglob("*.zip")).relative_to(storage)


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    call_command("backup", tmp_path / "backup")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("restore", tmp_path / "backup")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "incomplete"),
        (lambda folder: (folder / "database.dump").write_bytes(b"x"), "damaged.*database.dump"),
        (lambda folder: (folder / "files" / "more").write_bytes(b"x"), "damaged.*files/more"),
    ],
)
def test_a_damaged_backup_is_refused_before_anything_is_touched(
    damage: Any, sentence: str, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    (folder / "files").mkdir(parents=True)
    (folder / "database.dump").write_bytes(b"dump")
    digest = {"database.dump": "c6ad1a8ec9a46a3d0d8c1c4f9ecb2be9"}
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "made_at": "", "sha256": digest}))
    damage(folder)
    with pytest.raises(CommandError, match=sentence):
        call_command("restore", folder)


@pytest.mark.django_db
def test_a_backup_never_overwrites_another(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("x")
    with pytest.raises(CommandError, match="use a new folder"):
        call_command("backup", tmp_path)
