"""The programs of a running arena, and the environment each is given."""

import os
import sys

from arena.embedded.home import PROJECT, Home
from arena.embedded.process import MARK, Program
from arena.up.address import Address
from arena.up.supervisor import Managed

WEB = (
    "uvicorn arena.asgi:application --no-proxy-headers --no-access-log --log-level warning"
    " --timeout-graceful-shutdown 5"
)
WORKER = "worker --without-gossip --without-mingle --without-heartbeat"
ARENA_WORKER = f"celery --quiet -A arena.celery {WORKER} -n arena@%h -Q arena -c 2"
# Calls mostly wait, so threads are enough for them.
CALLS_WORKER = f"celery --quiet -A arena.celery {WORKER} -n calls@%h -Q calls -P threads -c 8"
HEAVY_WORKER = f"celery --quiet -A arena.celery {WORKER} -n heavy@%h -Q heavy -c 1"
MATCH_HOST = f"celery --quiet -A workers.app {WORKER} -n matches@%h -Q matches"
# No pid file: it ends with us, and a stale file would stop the next run.
SCHEDULER = "celery --quiet -A arena.celery beat --pidfile="
# What a match host may not know: it runs strangers' code.
ARENA_ONLY = ("DATABASE_URL", "SECRET_KEY")


def arena_environment(home: Home, database_url: str, redis_url: str) -> dict[str, str]:
    ours = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "ARENA_HOME": str(home.path),
        MARK: str(home.path),
    }
    # As root, Celery fills the screen with warnings; the sandbox drops root before a bot starts.
    return {**os.environ, **ours, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore:::celery.platforms"}


def arena_programs(environment: dict[str, str], home: Home, address: Address) -> list[Managed]:
    """Return the web server, a worker for each queue, the scheduler and one match host."""
    host_environment = {
        **{name: value for name, value in environment.items() if name not in ARENA_ONLY},
        "ARENA_URL": address.url.rstrip("/"),
        "ARENA_HOST_KEY": environment.get("ARENA_HOST_KEY") or home.secret("host_key", 43),
        # Whoever pressed Ctrl-C is waiting, so unfinished matches are given back soon.
        "MATCH_HOST_DRAIN_SECONDS": environment.get("MATCH_HOST_DRAIN_SECONDS") or "5",
    }

    def program(name: str, words: str, known: dict[str, str], *more: str) -> Program:
        return Program(name, [sys.executable, "-m", *words.split(), *more], known, PROJECT)

    web = program("web", WEB, environment, "--host", address.host, "--port", str(address.port))
    scheduler = program("scheduler", SCHEDULER, environment, "--schedule", str(home.path / "schedule"))
    return [
        Managed(web, stage=1),  # a host that stops still reports to it
        Managed(program("arena", ARENA_WORKER, environment), "ready", stage=2),
        Managed(program("calls", CALLS_WORKER, environment), "ready", stage=2),
        Managed(program("heavy", HEAVY_WORKER, environment), "ready", stage=2),
        Managed(program("matches", MATCH_HOST, host_environment), "ready", stage=2),
        Managed(scheduler, "ready", stage=2),
    ]
