"""Pages and the API under 50 visitors at once, each beside a bare Django view in the same run.

Both servers are one uvicorn process each, on this machine with the visitors; they take turns, so that a busy
machine slows both. Target: no error, and at least a quarter of the bare view's requests a second.

Visitors have no cookies, so they share answers as spectators do; ARENA_SHARED_SECONDS=0 makes each anew.
"""

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench._load_client import Burst, visit

VISITORS = 50
TURNS = int(os.environ.get("TURNS", "3"))
SECONDS = float(os.environ.get("SECONDS", "3"))
TARGET = 0.25


def main() -> None:
    with filled_arena() as paths, serving("arena.asgi") as arena, serving("bench._bare_view") as bare:
        print(f"{VISITORS} visitors, {TURNS} turns of {SECONDS:g} s each; requests a second (95 % within ms)")
        failed = [what for what, path in paths.items() if not measure(what, arena, path, bare)]
    if failed:
        raise SystemExit(f"Below {TARGET:g} of the bare view, or with errors: {', '.join(failed)}")


def measure(what: str, arena: int, path: str, bare: int) -> bool:
    ours, theirs = Burst(), Burst()
    for port, address in ((bare, "/"), (arena, path)):
        visit(port, address, 5, 0.5)  # what is made at first use is made
    for _ in range(TURNS):
        theirs.add(visit(bare, "/", VISITORS, SECONDS))
        ours.add(visit(arena, path, VISITORS, SECONDS))
    ratio = ours.rate / theirs.rate
    print(
        f"{what:14} {ours.rate:7.0f} ({ours.p95_ms:.0f})  bare {theirs.rate:7.0f} ({theirs.p95_ms:.0f})"
        f"  ratio {ratio:.2f}  errors {ours.errors + theirs.errors}",
        flush=True,
    )
    return ratio >= TARGET and not ours.errors + theirs.errors


@contextmanager
def filled_arena() -> Iterator[dict[str, str]]:
    """An arena of its own in a temporary folder with a played season; return what is visited there."""
    folder = Path(tempfile.mkdtemp(prefix="arena-load-"))
    os.environ |= {"ARENA_HOME": str(folder), "DJANGO_SETTINGS_MODULE": "arena.settings"}
    os.environ |= {"ARENA_PROXIES": "127.0.0.1", "ARENA_LOG_LEVEL": "WARNING"}
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    from arena.embedded.home import Home
    from arena.embedded.servers import running_servers

    try:
        with running_servers(Home(folder), durable=False):
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            yield play_a_season()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def play_a_season() -> dict[str, str]:
    """Have 30 bots play 30 matches at random, settled as ever."""
    from arena.ladders.results import settle_match
    from tests.arena.cast import ask_for, finish, make_bot, make_season

    season, versions = make_season(4), [make_bot(f"bot-{number}") for number in range(30)]
    chance = random.Random(1)
    for _ in range(30):
        match = ask_for(chance.sample(versions, 4), season)
        finish(match)
        settle_match(match.pk)
    address = match.get_absolute_url()
    return {
        "ladder page": season.ladder.get_absolute_url(),
        "bot page": versions[0].bot.get_absolute_url(),
        "API list": "/api/v1/matches",
        "replay page": address,
        "replay frames": f"{address}frames/open",
    }


@contextmanager
def serving(module: str) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    words = [
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-proxy-headers",
        "--no-access-log",
        "--log-level",
        "warning",
    ]
    process = subprocess.Popen([sys.executable, "-m", "uvicorn", f"{module}:application", *words])
    try:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(20)
