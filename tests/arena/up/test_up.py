"""`make up` from the first start to the last stop, with nothing replaced."""

import json
import os
import signal
import socket

import psutil
import psycopg
import pytest

from arena.embedded.home import Home

from .conftest import Starter

pytestmark = pytest.mark.slow


def accounts(home: Home) -> list[tuple[str, str]]:
    with psycopg.connect(home.database_url) as database:
        return database.execute("select username, password from accounts_user order by id").fetchall()


def test_it_starts_serves_and_stops_on_ctrl_c_without_an_orphan_and_keeps_its_data(
    start: Starter, home: Home
) -> None:
    arena = start().wait_until_ready()
    assert "Aztlán" in arena.get("/")
    assert "--accent" in arena.get("/static/pages/site.css")
    arena.wait_for("citlali")
    before = accounts(home)
    processes = arena.processes()
    assert len(processes) >= 6
    os.killpg(arena.process.pid, signal.SIGINT)
    output = arena.end()
    assert output.endswith("Stopped; the data is kept.\n")
    assert "Traceback" not in output
    assert arena.process.returncode == 0
    assert [process for process in processes if process.is_running()] == []

    again = start().wait_until_ready()
    assert accounts(home) == before
    again.process.terminate()
    again.end()
    assert again.processes() == []


def test_after_a_kill_of_its_process_group_it_starts_again_with_its_data(start: Starter, home: Home) -> None:
    arena = start().wait_until_ready()
    before = accounts(home)
    processes = arena.processes()
    os.killpg(arena.process.pid, signal.SIGKILL)
    arena.process.wait()
    _, alive = psutil.wait_procs(processes, timeout=30)
    assert alive == []
    start().wait_until_ready()
    assert accounts(home) == before


def test_after_a_kill_of_every_process_at_once_it_starts_again_with_its_data(
    start: Starter, home: Home
) -> None:
    arena = start().wait_until_ready()
    before = accounts(home)
    for process in [psutil.Process(arena.process.pid), *arena.processes()]:
        process.kill()
    arena.process.wait()
    again = start().wait_until_ready()
    assert accounts(home) == before
    assert json.loads(again.get("/health/ready"))["database"]


def test_what_ends_by_itself_is_started_again(start: Starter) -> None:
    arena = start().wait_until_ready()
    web = next(process for process in arena.processes() if "uvicorn" in process.cmdline())
    web.kill()
    assert "starting again" in arena.wait_for("ended with -9")


def test_a_second_start_in_the_same_folder_is_told_so(start: Starter, home: Home) -> None:
    first = start().wait_until_ready()
    second = start()
    sentence = f"already runs: process {first.process.pid}, http://localhost:{first.port}/."
    assert second.end() == f"The arena in {home.path} {sentence}\n"
    assert second.process.returncode == 1


def test_a_port_in_use_is_one_sentence_that_says_what_to_do(start: Starter) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        arena = start(PORT=str(port))
        output = arena.end()
    assert output.startswith(
        f"Port {port} of 127.0.0.1 cannot be used (address already in use): choose another"
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
    assert f"The server of {variable} does not answer: " in output
    assert "Traceback" not in output
    assert arena.process.returncode == 1
    assert arena.processes() == []
