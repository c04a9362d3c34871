"""`make up` from the first start to the last stop, with nothing replaced."""

import os
import signal
import socket

import psutil
import psycopg
import pytest

from arena.embedded.home import Home
from arena.embedded.servers import running_servers
from tests.arena.processes import commands_of, kill_all

from .conftest import RunningArena, Starter

pytestmark = pytest.mark.slow


def accounts(home: Home) -> list[tuple[str, str]]:
    with psycopg.connect(home.database_url) as database:
        return database.execute("select username, password from accounts_user order by id").fetchall()


# One test, as each start takes seconds of every core.
def test_an_arena_runs_stops_and_starts_again_with_its_data_whatever_was_killed(
    start: Starter, home: Home
) -> None:
    first = start().wait_until_ready()
    first.wait_for("citlali")
    assert first.wait_for("bots can play").startswith("Python")
    people = accounts(home)
    assert "Aztlán" in first.get("/")
    assert "--accent" in first.get("/static/pages/site.css")
    check_that_a_second_start_is_told(start, first)
    check_that_what_ends_is_started_again(first)
    check_that_ctrl_c_leaves_nothing(first)

    second = start().wait_until_ready()
    assert accounts(home) == people
    check_that_a_kill_of_the_group_leaves_nothing(second)

    third = start().wait_until_ready()
    assert accounts(home) == people
    kill_all([psutil.Process(third.process.pid), *third.processes()])
    third.process.wait()
    with running_servers(home):
        assert accounts(home) == people


def check_that_a_second_start_is_told(start: Starter, first: RunningArena) -> None:
    second = start()
    sentence = f"is already running: process {first.process.pid}, http://localhost:{first.port}/."
    assert second.end() == f"The arena in {first.home.path} {sentence}\n"
    assert second.process.returncode == 1


def check_that_what_ends_is_started_again(arena: RunningArena) -> None:
    scheduler = next(process for process, _, words in commands_of(arena.processes()) if "beat" in words)
    scheduler.kill()
    assert "restarting" in arena.wait_for("ended with -9")
    arena.wait_for("scheduler ready")


def check_that_ctrl_c_leaves_nothing(arena: RunningArena) -> None:
    processes = arena.processes()
    assert len(processes) >= 6
    os.killpg(arena.process.pid, signal.SIGINT)
    output = arena.end()
    assert output.endswith("Stopped; the data is kept.\n")
    assert "Traceback" not in output, output
    assert arena.process.returncode == 0
    assert [process for process in processes if process.is_running()] == []


def check_that_a_kill_of_the_group_leaves_nothing(arena: RunningArena) -> None:
    processes = arena.processes()
    os.killpg(arena.process.pid, signal.SIGKILL)
    arena.process.wait()
    _, alive = psutil.wait_procs(processes, timeout=120)
    assert alive == []


def test_a_port_in_use_is_one_sentence_that_says_what_to_do(start: Starter) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        arena = start(PORT=str(port))
        output = arena.end()
    assert output.startswith(
        f"Port {port} on 127.0.0.1 cannot be used (address already in use): choose another one"
    )
    assert output.count("\n") == 1
    assert arena.process.returncode == 1


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PORT", "http", "PORT must be a whole number"),
        ("DATABASE_URL", "arena.db", "DATABASE_URL is not a PostgreSQL address"),
        ("REDIS_URL", "arena.db", "REDIS_URL is not a Redis address"),
    ],
)
def test_a_malformed_variable_is_the_first_thing_said(
    start: Starter, variable: str, value: str, sentence: str
) -> None:
    arena = start(**{variable: value})
    output = arena.end()
    assert output.startswith(sentence)
    assert output.count("\n") == 1
    assert arena.process.returncode == 1


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DATABASE_URL", "postgresql://ada@127.0.0.1:1/arena"), ("REDIS_URL", "redis://127.0.0.1:1/0")],
)
def test_a_server_that_does_not_answer_is_named_and_nothing_is_left(
    start: Starter, variable: str, value: str
) -> None:
    arena = start(**{variable: value})
    output = arena.end()
    assert f"The server in {variable} does not answer: " in output
    assert "Traceback" not in output, output
    assert arena.process.returncode == 1
    assert arena.processes() == []
