"""Pages and the API under 50 visitors at once, each beside a bare Django view in the same run.

Both servers are one uvicorn process each, on this machine with the visitors; they take turns, so that a busy
machine slows both. Target: no error, and at least a quarter of the bare view's requests a second.

Visitors have no cookies, so they share answers as spectators do; ARENA_SHARED_SECONDS=0 makes each anew.

Then thirty replays are opened for the first time, while a probe asks /healthz over and over: a web process
that makes frames must stay responsive. Target: 95 % of the probes within three times what they take when
nothing else is asked for, or within 25 ms where that is more.
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

from bench._load_client import Burst, open_while_probing, visit

VISITORS = 50
TURNS = int(os.environ.get("TURNS", "3"))
SECONDS = float(os.environ.get("SECONDS", "3"))
TARGET = 0.25
REPLAYS = 30
PROBE = "/healthz"
PROBE_TARGET, PROBE_MS = 3, 25


def main() -> None:
    with (
        filled_arena() as (paths, replays),
        serving("arena.asgi") as arena,
        serving("bench._bare_view") as bare,
    ):
        print(f"{VISITORS} visitors, {TURNS} turns of {SECONDS:g} s each; requests a second (95 % within ms)")
        failed = [what for what, path in paths.items() if not measure(what, arena, path, bare)]
        is_responsive = probe_while_replays_open(arena, replays)
    if not is_responsive:
        raise SystemExit("/healthz waits while replays are opened for the first time.")
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


def probe_while_replays_open(arena: int, replays: list[str]) -> bool:
    """Open replays that nobody has opened yet, all at once; print what a probe waits meanwhile."""
    idle, busy, opened = visit(arena, PROBE, 1, SECONDS), Burst(), Burst()
    for turn in range(TURNS):
        views = ["public", "seat0", "seat1"]
        probed, got = open_while_probing(arena, PROBE, [f"{one}frames/{views[turn % 3]}" for one in replays])
        busy.add(probed)
        opened.add(got)
    print(
        f"{'healthz':14} p50 {idle.p50_ms:.1f} p95 {idle.p95_ms:.1f} ms idle, p50 {busy.p50_ms:.1f} "
        f"p95 {busy.p95_ms:.1f} ms while {len(replays)} replays are opened for the first time "
        f"(p95 {opened.p95_ms:.0f} ms each)  errors {busy.errors + opened.errors}",
        flush=True,
    )
    return busy.p95_ms <= max(PROBE_TARGET * idle.p95_ms, PROBE_MS) and not busy.errors + opened.errors


@contextmanager
def filled_arena() -> Iterator[tuple[dict[str, str], list[str]]]:
    """An arena of its own in a temporary folder with a played season.

    Return what is visited there, and replays that nobody has opened.
    """
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


def play_a_season() -> tuple[dict[str, str], list[str]]:
    """Have 30 bots play 30 matches at random, settled as ever."""
    from arena.ladders.results import settle_match
    from tests.arena.cast import ask_for, finish, make_bot, make_season

    season, versions = make_season(4), [make_bot(f"bot-{number}") for number in range(30)]
    chance = random.Random(1)
    addresses = []
    for _ in range(REPLAYS + 1):
        match = ask_for(chance.sample(versions, 4), season)
        finish(match)
        settle_match(match.pk)
        addresses.append(match.get_absolute_url())
    address = addresses.pop()
    paths = {
        "ladder page": season.ladder.get_absolute_url(),
        "bot page": versions[0].bot.get_absolute_url(),
        "API list": "/api/v1/matches",
        "replay page": address,
        "replay frames": f"{address}frames/open",
    }
    return paths, addresses


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
