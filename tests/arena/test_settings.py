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
    "ARENA_SITE_URL": "https://arena.example",
    "ARENA_HOST_KEY": "a secret of hosts",
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
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "CHANGE-at-least-fifty-random-characters, which everybody knows"),
        ("ARENA_HOST_KEY", ""),
        ("ARENA_HOST_KEY", "CHANGE-another-secret"),
        ("ARENA_SITE_URL", ""),
        ("ARENA_SITE_URL", "arena.example"),
        ("ARENA_SITE_URL", "http://arena.example"),
        ("ARENA_SITE_URL", "https://arena.example/arena"),
        ("ARENA_SITE_URL", "https://arena.example:99999"),
        ("ALLOWED_HOSTS", ""),
        ("ALLOWED_HOSTS", "other.example"),
        ("ALLOWED_HOSTS", "https://arena.example"),
        ("ALLOWED_HOSTS", "arena.example:443"),
        ("ARENA_SMTP_HOST", "smtp://mail.example"),
        ("ARENA_SMTP_HOST", "mail.example:587"),
        ("ARENA_SMTP_PORT", "99999"),
        ("ARENA_MAIL_FROM", "the arena"),
        ("ARENA_LEASE_SECONDS", "5"),
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


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"ARENA_SMTP_HOST": "mail.example", "ARENA_SMTP_USER": "arena"}, "ARENA_SMTP_PASSWORD"),
        ({"ARENA_SMTP_HOST": "mail.example", "ARENA_SMTP_PASSWORD": "secret"}, "ARENA_SMTP_USER"),
        ({"ARENA_SMTP_USER": "arena", "ARENA_SMTP_PASSWORD": "secret"}, "ARENA_SMTP_HOST"),
    ],
)
def test_half_of_a_mail_account_names_the_other_half(given: dict[str, str], missing: str) -> None:
    done = manage("check", **PRODUCTION, **given)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{missing} must be set too")


def test_an_address_with_a_port_is_allowed_by_its_name() -> None:
    done = manage("check", **{**PRODUCTION, "ARENA_SITE_URL": "https://arena.example:8443/"})
    assert done.returncode == 0, done.stderr


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
