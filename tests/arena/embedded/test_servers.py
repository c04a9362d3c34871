"""The life of the embedded servers, with real servers in a folder of their own."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from redis import Redis

from arena.embedded.home import BusyError, Home
from arena.embedded.leftovers import leftovers
from arena.embedded.postgres import postgres_server
from arena.embedded.servers import running_servers
from tests.arena.processes import commands_of, kill_all

# Runs the servers until it is killed, and says when they answer.
RUNNER = """
import sys, time
from pathlib import Path
from arena.embedded.home import Home
from arena.embedded.postgres import postgres_server
from arena.embedded.servers import running_servers
with running_servers(Home(Path(sys.argv[1]))):
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that no other test run closes: pytest makes those of `tmp_path` private again and again."""
    with tempfile.TemporaryDirectory(prefix="arena-servers-") as name:
        yield Path(name)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Path]:
    """A fresh PostgreSQL cluster to copy: creating one takes most of a test's time."""
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as name:
        home = Home(Path(name))
        home.create()
        postgres_server(home, durable=False)
        yield home.postgres


@pytest.fixture
def home(folder: Path, cluster: Path) -> Home:
    home = Home(folder / "arena home")
    home.create()
    subprocess.run(["cp", "--archive", str(cluster), str(home.postgres)], check=True)
    return home


@pytest.fixture
def elsewhere(home: Home) -> Iterator[subprocess.Popen[str]]:
    """Another process that runs the servers."""
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(home.path)], stdout=subprocess.PIPE, text=True
    )
    assert runner.stdout is not None
    assert runner.stdout.readline() == "ready\n"
    yield runner
    runner.kill()
    runner.wait()
    runner.stdout.close()
    psutil.wait_procs(list(leftovers(home)), timeout=120)


def write(home: Home, value: int) -> None:
    with psycopg.connect(home.database_url) as database:
        database.execute("create table if not exists kept (value int)")
        database.execute("insert into kept values (%s)", [value])
    with Redis.from_url(home.redis_url) as redis:
        redis.rpush("kept", value)


def written(home: Home) -> tuple[list[int], list[int]]:
    with psycopg.connect(home.database_url) as database:
        rows = [row[0] for row in database.execute("select value from kept order by value")]
    with Redis.from_url(home.redis_url) as redis:
        return rows, [int(value) for value in redis.lrange("kept", 0, -1)]


def test_the_data_outlives_a_stop(home: Home) -> None:
    for value in (1, 2):
        with running_servers(home):
            write(home, value)
    with running_servers(home):
        assert written(home) == ([1, 2], [1, 2])
    assert list(leftovers(home)) == []


def test_the_data_outlives_a_kill_of_every_process(home: Home, elsewhere: subprocess.Popen[str]) -> None:
    write(home, 1)
    # Redis writes to its file within a second; this is not about that second.
    with Redis.from_url(home.redis_url) as redis:
        redis.execute_command("WAITAOF", 1, 0, 5000)
    victims = [psutil.Process(elsewhere.pid), *leftovers(home)]
    assert {"postgres", "valkey-server"} <= {name for _, name, _ in commands_of(victims)}
    kill_all(victims)
    elsewhere.wait()
    with running_servers(home):
        assert written(home) == ([1], [1])


def test_no_server_outlives_whoever_started_it(home: Home, elsewhere: subprocess.Popen[str]) -> None:
    servers = list(leftovers(home))
    elsewhere.kill()
    _, alive = psutil.wait_procs(servers, timeout=120)
    assert alive == []


def test_what_an_earlier_run_left_is_ended_before_the_data_is_opened(home: Home) -> None:
    with running_servers(home) as processes:
        write(home, 1)
        # As if it had been left: the lock is free but the server runs.
        (home.path / "lock").unlink()
        with running_servers(home):
            assert written(home) == ([1], [1])
            assert processes["PostgreSQL"].poll() is not None


def test_a_second_run_on_the_same_folder_is_told_who_has_it(
    home: Home, elsewhere: subprocess.Popen[str]
) -> None:
    with (
        pytest.raises(BusyError, match=f"is already running: process {elsewhere.pid}"),
        running_servers(home),
    ):
        pass


def test_a_stale_file_that_names_a_living_process_does_not_stop_postgresql(home: Home) -> None:
    with running_servers(home):
        write(home, 1)
    # The number of the dead server was given to another process meanwhile; PostgreSQL itself would refuse.
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    (home.postgres / "postmaster.pid").write_text(f"{bystander.pid}\n{home.postgres}\n0\n5432\n\n\n")
    with running_servers(home):
        assert written(home) == ([1], [1])
    assert bystander.poll() is None
    bystander.communicate(b"\n")


def test_a_creation_that_was_cut_short_starts_over(folder: Path) -> None:
    home = Home(folder)
    home.create()
    half = home.path / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    with running_servers(home):
        write(home, 1)
    assert not half.exists()


def test_a_folder_too_deep_for_a_socket_works(folder: Path) -> None:
    home = Home(folder / ("deep" * 15) / ("deeper" * 15))
    with running_servers(home):
        write(home, 1)
        assert written(home) == ([1], [1])
    assert len(os.fsencode(home.redis_socket)) < 108
    for data in (home.postgres, home.redis):
        shutil.rmtree(home.socket_folder(data))


def test_the_servers_listen_on_no_port_and_only_for_us(home: Home) -> None:
    with running_servers(home) as processes:
        for process in processes.values():
            assert psutil.Process(process.pid).net_connections("inet") == []
        for folder in (home.postgres, home.redis):
            assert folder.stat().st_mode & 0o077 == 0


def test_a_damaged_cluster_is_said_in_the_servers_own_words(home: Home) -> None:
    with running_servers(home):
        pass
    (home.postgres / "global" / "pg_control").unlink()
    with pytest.raises(SystemExit, match=r"PostgreSQL did not start: .*pg_control"), running_servers(home):
        pass


def test_a_gentle_end_of_the_starter_stops_the_servers_too(
    home: Home, elsewhere: subprocess.Popen[str]
) -> None:
    servers = list(leftovers(home))
    elsewhere.send_signal(signal.SIGINT)
    elsewhere.wait()
    _, alive = psutil.wait_procs(servers, timeout=120)
    assert alive == []
