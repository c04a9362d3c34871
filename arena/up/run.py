"""Start the arena in order, say where it is, and keep it running until it is asked to stop."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from arena.embedded.home import PROJECT, Home
from arena.embedded.leftovers import end_leftovers
from arena.embedded.postgres import postgres_server, postgres_trouble
from arena.embedded.process import Program, last_words, spawn, start
from arena.embedded.redis import redis_server, redis_trouble
from arena.env import database
from arena.up.address import Address
from arena.up.make import Make
from arena.up.programs import arena_environment, arena_programs
from arena.up.supervisor import Supervisor
from workers import env

GRACE_SECONDS = 10
READY_SECONDS = 60
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Asked(BaseException):
    """Somebody asked the arena to stop."""


def main() -> None:
    make = Make()
    home = Home.from_environment()
    address = Address.from_environment()
    # Read before anything starts, so that a wrong one is the first thing seen.
    database("DATABASE_URL", home.database_url)
    env.redis_url("REDIS_URL", home.redis_url)
    home.create()
    with home.locked(address.url):
        address.check_free()
        supervisor = Supervisor()
        for number in STOP_SIGNALS:
            signal.signal(number, ask_to_stop)
        try:
            run(supervisor, home, address, make)
        except (Asked, BrokenPipeError):
            pass
        finally:
            stop(supervisor)


def ask_to_stop(number: int, frame: FrameType | None) -> NoReturn:
    raise Asked


def stop(supervisor: Supervisor) -> None:
    def hurry(number: int, frame: FrameType | None) -> None:
        supervisor.hurry = True

    for number in STOP_SIGNALS:
        signal.signal(number, hurry)
    try:
        print("Stopping ...", flush=True)
        supervisor.stop(GRACE_SECONDS)
        print("Stopped; the data is kept.", flush=True)
    except BrokenPipeError:  # nobody reads us any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        supervisor.stop(GRACE_SECONDS)


def run(supervisor: Supervisor, home: Home, address: Address, make: Make) -> None:
    if count := end_leftovers(home):
        print(f"Ended {count} processes that an earlier run left.")
    with step("Starting PostgreSQL and Redis"):
        database_url = start_or_reach_postgres(supervisor, home)
        redis_url = start_or_reach_redis(supervisor, home)
    environment = arena_environment(home, database_url, redis_url)
    with step("Preparing the database"):
        sign_ins = prepare(environment, home)
    print("Starting the web server, the workers and the scheduler ...", flush=True)
    for managed in arena_programs(environment, home, address):
        supervisor.start(managed)
    announce_when_ready(supervisor, address, sign_ins, make)
    while not make.was_interrupted():
        supervisor.tick()


@contextmanager
def step(what: str) -> Iterator[None]:
    """Show a step that takes a while on one line."""
    began = time.monotonic()
    print(what, end=" ... ", flush=True)
    try:
        yield
    except SystemExit:
        print("failed", flush=True)
        raise
    print(f"{time.monotonic() - began:.1f} s", flush=True)


def start_or_reach_postgres(supervisor: Supervisor, home: Home) -> str:
    """Start our own PostgreSQL where DATABASE_URL names none, and return the address."""
    url = env.text("DATABASE_URL", "")
    if not url:
        server = postgres_server(home)
        supervisor.adopt(server.program, start(server))
    elif reason := postgres_trouble(url):
        raise SystemExit(f"The server of DATABASE_URL does not answer: {reason}")
    return url or home.database_url


def start_or_reach_redis(supervisor: Supervisor, home: Home) -> str:
    """Start our own Redis where REDIS_URL names none, and return the address."""
    url = env.text("REDIS_URL", "")
    if not url:
        server = redis_server(home)
        supervisor.adopt(server.program, start(server))
    elif reason := redis_trouble(url):
        raise SystemExit(f"The server of REDIS_URL does not answer: {reason}")
    return url or home.redis_url


def prepare(environment: dict[str, str], home: Home) -> str:
    """Bring the database up to date, and return the lines that say how to sign in."""
    log = home.logs / "prepare.log"
    log.unlink(missing_ok=True)
    command = [sys.executable, "manage.py", "prepare"]
    if spawn(Program("prepare", command, environment, PROJECT, log=log)).wait():
        raise SystemExit(f"The database could not be prepared: {last_words(log)}")
    return log.read_text()


def announce_when_ready(supervisor: Supervisor, address: Address, sign_ins: str, make: Make) -> None:
    """Say where the arena is once all of it works, and after a while that this takes long."""
    deadline = time.monotonic() + READY_SECONDS
    while not make.was_interrupted():
        supervisor.tick()
        if all(managed.is_ready for managed in supervisor.managed) and address.answers():
            print(f"\nThe arena runs at {address.url} and stops with Ctrl-C.")
            if sign_ins:
                print("Sign in as", *sign_ins.splitlines(), sep="\n  ")
            print(flush=True)
            return
        if time.monotonic() > deadline:
            deadline = float("inf")
            trouble = f"Not everything works after {READY_SECONDS} s; the lines above say why. Still trying."
            print(trouble, flush=True)
