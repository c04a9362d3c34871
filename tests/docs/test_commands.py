"""Every command that the documentation shows is run: here, in the walk of the ten-minute guide, or it is listed
below with the reason why no test runs it."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from aztlan.cli import COMMANDS, main
from tests.docs.commands import ROOT, is_name, is_walked, shown_commands

NOT_RUN = {
    "docker compose": "there is no Docker here; tests/deploy runs the same file with Podman",
    "podman exec": "tests/deploy/test_stack.py runs those of the page on deploying, where it can build containers",
    "kubectl apply": "there is no cluster here; tests/deploy checks the manifests against the schemas",
    "apt-get install": "it changes the machine; `make up` and `make test` do it where they may",
    "pip install": "it fetches packages; the suite runs in what `make install` fetched",
    "npm install": "it fetches packages; tests/sdk does it for the starter, where npm can",
    "python -m workers.runtimes.node": "it fetches packages with npm; tests/workers/sandbox does, where it can",
    "python -m arena.browser.pyodide_package": "it fetches a package with npm; tests/arena/browser tries its refusals",
    "node --check": "the arena does it to each upload; tests/workers/sandbox uploads one",
    "nginx -t": "tests/deploy does it, where nginx is installed",
}
FOLDER = "/var/backups/aztlan/2026-11-16"
# What a command has to be given besides, so that a test can run it: no questions, no change of the project.
BESIDES = {
    "collectstatic": ["--no-input"],
    "createsuperuser": ["--no-input", "--username", "operator", "--email", "operator@example.org"],
    "makemigrations": ["--check", "--dry-run"],
    "pytest": ["--collect-only", "-q", "-p", "no:cacheprovider"],
    "aztlan.examples.train_value": ["--rounds", "1", "--games", "4", "--measured", "4"],
}
RUN_ALL = """
import json, sys
from django.core.management import execute_from_command_line
for arguments in json.loads(sys.argv[1]):
    print(*arguments, flush=True)
    execute_from_command_line(arguments)
"""
SHOWN = shown_commands()


def of(*programs: str) -> list[str]:
    """Return the commands of these programs that are not left out, in the order in which pages show them."""
    return [
        command
        for command in SHOWN
        if command.startswith(programs) and not command.startswith(tuple(NOT_RUN))
    ]


MAKE = of("make ")
MANAGE = [command for command in SHOWN if " manage.py " in f" {command}" and not command.startswith("podman")]
PYTHON = [command for command in of("python -m ", "python3 ", "cp ") if command not in MANAGE]
PYTEST = of(".venv/bin/pytest ")


def run(command: list[str], **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    assert done.returncode == 0, f"{shlex.join(command)}:\n{done.stdout}{done.stderr}"
    return str(done.stdout)


def test_every_command_is_run_or_has_a_reason_not_to_be() -> None:
    known = {*MAKE, *MANAGE, *PYTHON, *PYTEST}
    left = {
        command: pages
        for command, pages in SHOWN.items()
        if command not in known
        and not command.startswith(tuple(NOT_RUN))
        and not is_name(command)
        and not is_walked(command)
    }
    assert left == {}, "say in this file how they are run, or why they are not"
    assert [start for start in NOT_RUN if not any(command.startswith(start) for command in SHOWN)] == []


def test_operators_are_told_what_no_test_runs() -> None:
    page = (ROOT / "docs" / "operator" / "deploy.md").read_text()
    assert [command for command in NOT_RUN if f"`{command}`" not in page] == []


@pytest.mark.parametrize("command", MAKE)
def test_make_knows_what_to_do(command: str) -> None:
    plan = run([*shlex.split(command), "--dry-run", f"PYTHON={sys.executable}"], cwd=ROOT)
    assert plan.strip()


@pytest.mark.parametrize("command", [command for command in SHOWN if is_name(command)])
def test_every_command_of_aztlan_that_is_named_explains_itself(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([command.split()[1], "--help"])
    assert end.value.code == 0
    assert "usage: aztlan" in capsys.readouterr().out


def test_every_command_of_aztlan_is_in_the_documentation() -> None:
    assert {command for command in COMMANDS if not any(f"aztlan {command}" in one for one in SHOWN)} == set()


def test_every_python_command_succeeds(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "proto", tmp_path / "proto")  # what some of them write goes into a copy
    assert PYTHON
    for command in PYTHON:
        first, *rest = shlex.split(command)
        besides = [more for name in rest for more in BESIDES.get(name, [])]
        run([sys.executable if first.startswith("python") else first, *rest, *besides], cwd=tmp_path)


@pytest.mark.parametrize("command", PYTEST)
def test_the_tests_that_are_named_are_found(command: str) -> None:
    _, *rest = shlex.split(command)
    assert "::" in run([sys.executable, "-m", "pytest", *rest, *BESIDES["pytest"]], cwd=ROOT)


@pytest.fixture
def databases(servers: None) -> Iterator[list[str]]:
    """The addresses of two empty databases."""
    known, names = settings.DATABASES["default"], ["operated", "restored"]
    address = f"postgresql://{known['USER']}@/{{}}?host={known['HOST']}"
    with psycopg.connect(address.format("postgres"), autocommit=True) as admin:
        for name in names:
            admin.execute(f"create database {name}")
        yield [address.format(name) for name in names]
        for name in names:
            admin.execute(f"drop database {name} with (force)")


def test_every_management_command_succeeds(databases: list[str], tmp_path: Path) -> None:
    """In the order that operators have to keep: a database is filled, backed up, and restored into another."""
    # Archiving needs a closed season: tests/arena/ladders/test_archiving.py runs it. The doctor finds much wrong
    # with an arena that does not run: tests/arena/operations/test_doctor.py.
    elsewhere = ("tournament", "archive_season", "doctor", "copy_files")
    wanted = {
        tuple(words(command, tmp_path)) for command in MANAGE if words(command, tmp_path)[1] not in elsewhere
    }
    wanted -= {("manage.py", "backup"), ("manage.py", "restore")}
    restore = [one for one in wanted if one[1] == "restore"]
    assert len(restore) == 1
    order = [
        "migrate",
        "createsuperuser",
        "create_ladder",
        "capacity",
        "collectstatic",
        "house_bots",
        "check",
        "dbshell",
        "fold_ratings",
        "makemigrations",
        "shell",
        "backup",
    ]
    before = sorted(wanted - set(restore), key=lambda one: (order.index(one[1]), one))
    if not shutil.which("psql"):
        before = [one for one in before if one[1] != "dbshell"]  # which needs it, as the page says
    manage(before, databases[0], tmp_path / "home")
    manage([*restore, ("manage.py", "fold_ratings", "--check")], databases[1], tmp_path / "another")


def words(command: str, folder: Path) -> list[str]:
    """Return a command from `manage.py` on, with its folder in ours."""
    shown = command[command.index("manage.py") :].replace(FOLDER, str(folder / "backup"))
    split = shlex.split(shown)
    return [*split, *BESIDES.get(split[1], [])]


def manage(commands: list[tuple[str, ...]], database: str, home: Path) -> None:
    """Run management commands in one process, as each start costs a second."""
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "REDIS_URL": settings.REDIS_URL,
        "ARENA_HOME": str(home),
        "ARENA_STATIC_ROOT": str(home / "static"),
    }
    run([sys.executable, "-c", RUN_ALL, json.dumps(commands)], cwd=ROOT, env=environment)
