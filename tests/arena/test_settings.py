import os
import subprocess
import sys

import pytest
from django.db import connection

PRODUCTION = {
    "ARENA_HTTPS": "true",
    "SECRET_KEY": "0123456789" * 6 + "abcdefgh",
    "ALLOWED_HOSTS": "arena.example",
    "DATABASE_URL": "postgresql://arena:secret@db.example/arena",
    "REDIS_URL": "redis://redis.example:6379/0",
}


def manage(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words], env={**os.environ, **variables}, capture_output=True, text=True
    )


def test_the_deployment_check_finds_nothing_with_production_variables() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert (done.returncode, done.stdout) == (0, "System check identified no issues (0 silenced).\n"), (
        done.stderr
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DATABASE_URL", "mysql://h/x"),
        ("REDIS_URL", "h:6379"),
        ("SECRET_KEY", ""),
        ("ARENA_HTTPS", "perhaps"),
        ("ARENA_HSTS_SECONDS", "-1"),
        ("ARENA_LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_variable_is_one_sentence_that_begins_with_its_name(variable: str, value: str) -> None:
    done = manage("check", **{**PRODUCTION, variable: value})
    assert done.returncode == 1
    assert done.stderr.startswith(variable)
    assert done.stderr.count("\n") == 1


def test_an_unreachable_database_is_one_sentence() -> None:
    done = manage("migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:1/arena")
    assert done.returncode == 1
    assert done.stderr.startswith("The database failed (")
    assert "Traceback" not in done.stderr


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "value"),
    [("statement_timeout", "15s"), ("lock_timeout", "5s"), ("idle_in_transaction_session_timeout", "30s")],
)
def test_the_database_ends_what_takes_too_long(name: str, value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"show {name}")
        assert cursor.fetchone() == (value,)
