"""Start the arena in order, print its address, and keep it running until it is told to stop."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from arena.arena_env import database
from arena.embedded.home import PROJECT, Home
from arena.embedded.leftovers import end_leftovers
from arena.embedded.postgres import postgres_server, postgres_trouble
from arena.embedded.process import Program, last_words, spawn, start
from arena.embedded.redis import redis_server, redis_trouble
from arena.up.address import Address
from arena.up.builds import BackgroundBuild, start_builds
from arena.up.make import Make
from arena.up.programs import arena_environment, arena_programs
from arena.up.supervisor import Supervisor
from workers import env
from workers.host.config import offered_languages
from workers.runtimes import node
from workers.runtimes.base import RuntimeMissingError

GRACE_SECONDS = 10
READY_SECONDS = 60
MANY_FILES = 65_536
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(BaseException):
    """Somebody asked the arena to stop."""


def main() -> None:
    make = Make()
    home = Home.from_environment()
    address = Address.from_environment()
    # Read before anything starts, so that a wrong value is the first thing seen.
    database("DATABASE_URL", home.database_url)
    env.redis_url("REDIS_URL", home.redis_url)
    home.create()
    allow_many_files()
    with home.locked(address.url):
        address.check_free()
        supervisor = Supervisor()
        for number in STOP_SIGNALS:
            signal.signal(number, ask_to_stop)
        try:
            run(supervisor, home, address, make)
        except (StopRequested, BrokenPipeError):
            pass
        finally:
            stop(supervisor)


def allow_many_files() -> None:
    """Let our programs open as many files as the system allows: each spectator needs one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = MANY_FILES if most == resource.RLIM_INFINITY else min(most, MANY_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))


def ask_to_stop(number: int, frame: FrameType | None) -> NoReturn:
    raise StopRequested


def stop(supervisor: Supervisor) -> None:
    def hurry(number: int, frame: FrameType | None) -> None:
        supervisor.hurry = True

    for number in STOP_SIGNALS:
        signal.signal(number, hurry)
    try:
        print("Stopping ...", flush=True)
        supervisor.stop(GRACE_SECONDS)
        print("Stopped; the data is kept.", flush=True)
    except BrokenPipeError:  # nobody reads our output any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        supervisor.stop(GRACE_SECONDS)


def run(supervisor: Supervisor, home: Home, address: Address, make: Make) -> None:
    if count := end_leftovers(home):
        print(f"Ended {count} processes left over from an earlier run.")
    with step("Starting PostgreSQL and Redis"):
        database_url = start_or_reach_postgres(supervisor, home)
        redis_url = start_or_reach_redis(supervisor, home)
    environment = arena_environment(home, database_url, redis_url)
    builds = start_builds(environment, home)
    try:
        run_programs(supervisor, home, address, make, environment, builds)
    finally:
        for build in builds:
            build.stop()


def run_programs(
    supervisor: Supervisor,
    home: Home,
    address: Address,
    make: Make,
    environment: dict[str, str],
    builds: list[BackgroundBuild],
) -> None:
    with step("Preparing the database"):
        sign_ins = prepare(environment, home)
    fetch_node_packages()
    print("Starting the web server, the workers and the scheduler ...", flush=True)
    for managed in arena_programs(environment, home, address):
        supervisor.start(managed)
    announce_when_ready(supervisor, address, sign_ins, make)
    while not make.was_interrupted():
        supervisor.tick()
        for build in builds:
            build.tell()


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
    """Start our own PostgreSQL if DATABASE_URL is not set, and return the address."""
    url = env.text("DATABASE_URL", "")
    if not url:
        server = postgres_server(home)
        supervisor.adopt(server.program, start(server))
    elif reason := postgres_trouble(url):
        raise SystemExit(f"The server in DATABASE_URL does not answer: {reason}")
    return url or home.database_url


def start_or_reach_redis(supervisor: Supervisor, home: Home) -> str:
    """Start our own Redis if REDIS_URL is not set, and return the address."""
    url = env.text("REDIS_URL", "")
    if not url:
        server = redis_server(home)
        supervisor.adopt(server.program, start(server))
    elif reason := redis_trouble(url):
        raise SystemExit(f"The server in REDIS_URL does not answer: {reason}")
    return url or home.redis_url


def prepare(environment: dict[str, str], home: Home) -> str:
    """Bring the database up to date, and return the lines that say how to sign in."""
    log = home.logs / "prepare.log"
    log.unlink(missing_ok=True)
    command = [sys.executable, "manage.py", "prepare"]
    if spawn(Program("prepare", command, environment, PROJECT, log=log)).wait():
        raise SystemExit(f"The database could not be prepared: {last_words(log)}")
    return log.read_text()


def fetch_node_packages() -> None:
    """Fetch the packages of JavaScript bots if Node is installed and they are missing."""
    wanted = "JavaScript" in offered_languages() and shutil.which("node")
    if not wanted or node.modules_folder().is_dir():
        return
    began = time.monotonic()
    print("Fetching the packages of JavaScript bots", end=" ... ", flush=True)
    try:
        node.fetch_modules()
        print(f"{time.monotonic() - began:.1f} s", flush=True)
    except (RuntimeMissingError, OSError, subprocess.SubprocessError) as error:
        print(f"failed: {error}", flush=True)


def say_what_plays(supervisor: Supervisor, address: Address, make: Make) -> None:
    """Print which bots can play, once the match host has tried all languages."""
    deadline = time.monotonic() + READY_SECONDS
    while (ready := address.readiness()).get("untried") and time.monotonic() < deadline:
        supervisor.tick()
        if make.was_interrupted():
            return
    print(what_plays(ready), end="\n\n", flush=True)


def what_plays(ready: dict[str, Any]) -> str:
    """Return the lines that say which bots can play, and what to do about the others."""
    *others, last = ready.get("languages") or [""]
    names = f"{', '.join(others)} and {last}" if others else last
    lines = (
        [f"{names} bots can play."]
        if names
        else ["WARNING: no match host has reported that it can play bots."]
    )
    lines += [f"WARNING: {trouble}" for trouble in ready.get("trouble", [])]
    return "\n".join([*lines, *ready.get("missing", [])])


def announce_when_ready(supervisor: Supervisor, address: Address, sign_ins: str, make: Make) -> None:
    """Print the address once everything works, and a note meanwhile if that takes long."""
    deadline = time.monotonic() + READY_SECONDS
    while not (all(managed.is_ready for managed in supervisor.managed) and address.answers()):
        supervisor.tick()
        if make.was_interrupted():
            return
        if time.monotonic() > deadline:
            deadline = float("inf")
            print(
                f"Not everything works after {READY_SECONDS} s; the lines above say why. Still trying; what "
                f"works already is at {address.url}.",
                flush=True,
            )
    print(f"\nThe arena runs at {address.url}; press Ctrl-C to stop it.")
    if sign_ins:
        print("Sign in as", *sign_ins.splitlines(), sep="\n  ")
    print(flush=True)
    say_what_plays(supervisor, address, make)
