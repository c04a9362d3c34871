"""Migrations only go forward: a database of the first release with data in every table keeps all of it.

`rows.json` has the rows of an arena whose migrations are those of STATE, by table, as PostgreSQL writes them.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg import sql

ROWS: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "rows.json").read_text())
STATE: dict[str, str | None] = {
    "accounts": "0002_audit_is_append_only",
    "bots": "0001_initial",
    "hosts": "0001_initial",
    "ladders": "0002_result_log",
    "matches": "0001_initial",
    "notices": "0001_initial",
    "outbox": "0001_initial",
    "promotions": None,
    "replays": "0001_initial",
    "tournaments": "0001_initial",
    "analysis": None,  # it came later
    "operations": None,  # it came later
    "play": None,  # it came later
}
ADDED = {"account", "discovery", "mfa", "socialaccount", "usersessions"}
"""Apps that later releases brought."""
MOVED = {
    "ladders_ratingchange.id": "the table was rebuilt",
    "ladders_ratingchange.result_id": "season and sequence name the result",
    "ladders_ratingchange.change": "the difference from the bot's rating change before it",
    **{
        f"ladders_{table}.{column}": "strengths are estimated from the log"
        for table in ("ratingchange", "standing")
        for column in ("mu", "sigma")
    },
}
"""Columns (`table.column`) that a later migration took away or rewrote, and where their data is now."""
KEYS = {
    "ladders_ratingchange": ("season_id", "bot_id", "sequence"),
    "django_session": ("session_key",),
}
"""What names a row, where that is not its id."""

TO_STATE = f"""
import django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
executor = MigrationExecutor(connection)
of_django = [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] not in {sorted({*STATE, *ADDED})!r}]
executor.migrate(of_django + {list(STATE.items())!r})
"""
READ_ALL = """
import django
django.setup()
from django.apps import apps
print(sum(len(list(model.objects.all())) for model in apps.get_models()))
"""
SHAPE = """
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public'
    union all
    select tablename, indexname, indexdef, '', '' from pg_indexes where schemaname = 'public'
    union all
    select conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '' from pg_constraint
    where connamespace = 'public'::regnamespace
    order by 1, 2, 3
"""

Address = str


def run(address: Address, *arguments: str) -> str:
    environment = {**os.environ, "DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "arena.settings"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=Path(__file__).parents[3],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def server(servers: None) -> str:
    return os.environ.get("DATABASE_URL") or settings.HOME.database_url


@pytest.fixture(scope="module")
def upgraded(server: str) -> Iterator[Address]:
    """A database of the first release with its data, upgraded as an operator does it."""
    name = sql.Identifier(f"upgrade_{os.getpid()}")
    address = urlunsplit(urlsplit(server)._replace(path=f"/upgrade_{os.getpid()}"))
    with psycopg.connect(server, autocommit=True) as postgres:
        postgres.execute(sql.SQL("create database {}").format(name))
        try:
            run(address, "-c", TO_STATE)
            load(address)
            assert losses(address) == [], "what was loaded reads as it was written"
            run(address, "manage.py", "migrate", "--verbosity=0")
            yield address
        finally:
            postgres.execute(sql.SQL("drop database {} with (force)").format(name))


def load(address: Address) -> None:
    """Insert all rows in one transaction: foreign keys are checked at its end."""
    with psycopg.connect(address) as postgres:
        tables = postgres.execute("select tablename from pg_tables where schemaname = 'public'")
        assert {table for (table,) in tables} == {*ROWS, "django_migrations"}
        for table, rows in ROWS.items():
            statement = sql.SQL("insert into {0} select * from jsonb_populate_record(null::{0}, %s)")
            for row in rows:
                postgres.execute(statement.format(sql.Identifier(table)), [json.dumps(row)])
            if "id" in rows[0]:
                last = sql.SQL("select setval(pg_get_serial_sequence(%s, 'id'), max(id)) from {}")
                postgres.execute(last.format(sql.Identifier(table)), [table])


def rows_of(address: Address, table: str) -> dict[Any, dict[str, Any]]:
    with psycopg.connect(address) as postgres:
        statement = sql.SQL("select to_jsonb(t) from {} t").format(sql.Identifier(table))
        rows = [row for (row,) in postgres.execute(statement)]
    return {key_of(table, row): row for row in rows}


def key_of(table: str, row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in KEYS.get(table, ("id",)))


def shape(address: Address) -> list[tuple[Any, ...]]:
    with psycopg.connect(address) as postgres:
        return postgres.execute(SHAPE).fetchall()


def losses(address: Address) -> list[str]:
    """Return the columns and rows that are not what they were, unless MOVED says where they went."""
    found = []
    for table, rows in ROWS.items():
        now = rows_of(address, table)
        for row in rows:
            key = key_of(table, row)
            kept = now.get(key)
            if kept is None:
                found.append(f"{table}: row {key} is gone")
                continue
            names = [name for name in row if f"{table}.{name}" not in MOVED]
            found += [f"{table}.{name} of row {key}" for name in names if kept.get(name) != row[name]]
    return found


def test_every_table_of_the_first_release_has_data() -> None:
    assert [table for table, rows in ROWS.items() if not rows] == []


def test_the_newest_migrations_keep_the_data_of_the_first_release(upgraded: Address) -> None:
    assert losses(upgraded) == []


def test_an_upgraded_arena_reads_all_of_its_rows(upgraded: Address) -> None:
    assert int(run(upgraded, "-c", READ_ALL)) >= sum(len(rows) for rows in ROWS.values())


@pytest.mark.django_db
def test_an_upgraded_database_has_the_shape_of_a_new_one(upgraded: Address, server: str) -> None:
    name = connection.settings_dict["NAME"]
    assert shape(upgraded) == shape(urlunsplit(urlsplit(server)._replace(path=f"/{name}")))


def test_what_migrations_count_and_fill_in_is_what_folds_from_the_log(upgraded: Address) -> None:
    """Games and wins in the history, and counts of ratings, are made by migrations."""
    assert " 0 values differed" in run(upgraded, "manage.py", "fold_ratings", "--check")
    with psycopg.connect(upgraded) as postgres:
        counts = postgres.execute("select span * 2, bots from ladders_ratingcount order by 1").fetchall()
        history = postgres.execute(
            "select bot_id, games, wins from ladders_ratingchange order by 1"
        ).fetchall()
    assert counts == [(1480, 1), (1520, 1)]
    assert history == [(2, 1, 1), (3, 1, 0)]


TO_MEETINGS = """
import django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
MigrationExecutor(connection).migrate([("ladders", "0009_smaller_indexes")])
"""
MEETINGS = """
    insert into ladders_meeting (version_id, season_id, other_id, seat, games, better, worse)
    values (%(version)s, %(season)s, %(first)s, 3, 4, 1, 2), (%(version)s, %(season)s, %(second)s, 0, 1, 0, 1),
        (%(version)s, %(season)s, %(second)s, 1, 0, 0, 0), (%(version)s, %(season)s, %(second)s, 2, 7, 7, 0)
"""


WAITING = "select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = %s)"
PATIENCE = 60


@pytest.fixture
def before_packing(server: str) -> Iterator[Address]:
    """A database whose meetings have a row each."""
    name = f"meetings_{os.getpid()}"
    address = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    with psycopg.connect(server, autocommit=True) as postgres:
        postgres.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        try:
            run(address, "-c", TO_STATE)
            load(address)
            run(address, "-c", TO_MEETINGS)
            yield address
        finally:
            postgres.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def test_meetings_that_were_counted_one_by_one_are_packed_also_those_of_a_worker_that_runs_meanwhile(
    before_packing: Address,
) -> None:
    first, second = sorted(row["id"] for row in ROWS["bots_bot"])[:2]
    rows = {
        name: ROWS[table][0]["id"]
        for name, table in (("version", "bots_version"), ("season", "ladders_season"))
    }
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    with psycopg.connect(before_packing) as worker, psycopg.connect(before_packing, autocommit=True) as watch:
        worker.execute(MEETINGS, rows | {"first": first, "second": second})
        environment = {**os.environ, "DATABASE_URL": before_packing}
        migration = subprocess.Popen(migrate, cwd=Path(__file__).parents[3], env=environment)
        deadline = time.monotonic() + PATIENCE
        database = watch.info.dbname
        while migration.poll() is None and not watch.execute(WAITING, [database]).fetchone()[0]:  # type: ignore[index]
            assert time.monotonic() < deadline, "the migration never waited for the worker"
        worker.commit()
        if migration.wait(PATIENCE):  # this machine was so slow that the migration's lock timed out
            run(before_packing, "manage.py", "migrate", "--verbosity=0")
        columns = "version_id, season_id, block, keys, games, better, worse"
        packed = watch.execute(f"select {columns} from ladders_meetingblock").fetchall()
    keys = [4 * first + 3, 4 * second, 4 * second + 2]
    assert packed == [(rows["version"], rows["season"], 0, keys, [4, 1, 7], [1, 0, 7], [2, 1, 0])]
