"""Pages and the API under 50 visitors at once, beside a bare Django view and Django's stock stack in one run.

Each server is one uvicorn process on this machine, together with the visitors; they take turns, so that a busy
machine slows all of them. Visitors have no cookies, so they share answers as spectators do; those with a
cookie get pages of their own. Targets: no error, at least a quarter of the bare view's requests per second,
and 1.5 times those of the stock stack where we replace a part of it.

Then 30 replays are opened for the first time, while one visitor probes /healthz and another watches a live
match. Target: 95 % of the probes and of the frames arrive within three times what they take when the web
process is idle.
"""

import json
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

from bench._load_client import Burst, LiveMatch, Watched, visit, watch_idle, watch_while_opening
from bench.figures import figure

VISITORS = 50
TURNS = int(os.environ.get("TURNS", "3"))
SECONDS = float(os.environ.get("SECONDS", "2"))
OF_BARE, OVER_STOCK, OVER_IDLE = 0.25, 1.5, 3
REPLAYS = 30
PROBE = "/healthz"
PERSONAL = "ladder page with a cookie"


def main() -> None:
    with (
        filled_arena() as (paths, replays, live),
        serving("arena.asgi") as arena,
        serving("bench._stock_stack") as stock,
        serving("bench._bare_view") as bare,
    ):
        for what, path in paths.items():
            measure(what, path, arena, stock, bare)
        measure_opening(arena, replays, live)


def measure(what: str, path: str, arena: int, stock: int, bare: int) -> None:
    servers = {arena: path, stock: path, bare: "/"}
    bursts = {port: Burst() for port in servers}
    cookie = "visitor=" if what == PERSONAL else ""
    for port, address in servers.items():
        visit(port, address, 5, 0.5)  # what is made at first use is made
    for _ in range(TURNS):
        for port, address in servers.items():
            bursts[port].add(visit(port, address, VISITORS, SECONDS, cookie))
    ours = bursts[arena]
    is_shared = what != PERSONAL
    figure(f"{what}, requests per second", ours.rate, "/s")
    figure(f"{what}, 95 % answered within", ours.p95_ms, "ms")
    figure(f"{what}, errors", ours.errors, at_most=0)
    ratio = ours.rate / bursts[bare].rate
    figure(f"{what}, of the bare view's rate", ratio, "x", at_least=OF_BARE if is_shared else None)
    ratio = ours.rate / (bursts[stock].rate or float("inf"))
    figure(f"{what}, over the stock stack", ratio, "x", at_least=OVER_STOCK if is_shared else None)


def measure_opening(arena: int, replays: list[str], live: LiveMatch) -> None:
    """Open replays that nobody has opened yet, all at once, and compare what others wait meanwhile."""
    idle, busy = Watched(), Watched()
    for view in ("public", "seat0", "seat1")[:TURNS]:
        idle.add(watch_idle(arena, PROBE, live, SECONDS))
        busy.add(watch_while_opening(arena, PROBE, live, [f"{one}frames/{view}" for one in replays]))
    figure(f"{REPLAYS} replays opened at once, 95 % within", busy.opened.p95_ms, "ms")
    figure(f"{REPLAYS} replays opened at once, errors", busy.opened.errors + busy.probes.errors, at_most=0)
    for what, waited, at_rest in (
        ("/healthz", busy.probes, idle.probes),
        ("a live frame", busy.live, idle.live),
    ):
        figure(f"{what}, 95 % within, idle", at_rest.p95_ms, "ms")
        figure(f"{what}, 95 % within, while replays are opened", waited.p95_ms, "ms")
        ratio = waited.p95_ms / at_rest.p95_ms
        figure(f"{what}, while replays are opened over idle", ratio, "x", at_most=OVER_IDLE)


@contextmanager
def filled_arena() -> Iterator[tuple[dict[str, str], list[str], LiveMatch]]:
    """Run an arena of its own in a temporary folder, with a played season and a match that is being played.

    Yield what is visited there, replays that nobody has opened, and the live match.
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
            yield *play_a_season(), start_a_match()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def play_a_season() -> tuple[dict[str, str], list[str]]:
    """Have 30 bots play at random and settle their matches as in production."""
    from arena.ladders.results import settle_match
    from bench._cast import ask_for, finish, make_bot, make_season

    season, versions = make_season(4), [make_bot(f"bot-{number}") for number in range(30)]
    chance = random.Random(1)
    addresses = []
    for _ in range(REPLAYS + 1):
        match = ask_for(chance.sample(versions, 4), season)
        finish(match)
        settle_match(match.pk)
        addresses.append(match.get_absolute_url())
    address = addresses.pop()
    ladder = season.ladder.get_absolute_url()
    paths = {
        "ladder page": ladder,
        "bot page": versions[0].bot.get_absolute_url(),
        "API list": "/api/v1/matches",
        "replay page": address,
        "replay frames": f"{address}frames/open",
        "static file": "/static/pages/site.css",
        PERSONAL: ladder,
    }
    return paths, addresses


def start_a_match() -> LiveMatch:
    """Have a match begin, whose frames this program shows."""
    from django.conf import settings
    from django.urls import reverse
    from redis import Redis

    from arena.hosts.live_frames import stream_key
    from bench._cast import ask_for, claim, make_bot

    match = ask_for([make_bot("live-1"), make_bot("live-2")])
    claim(match)
    redis = Redis.from_url(settings.REDIS_URL)

    def show(frame: dict[str, object]) -> None:
        redis.xadd(stream_key(match.public_id), {"attempt": "1", "frame": json.dumps(frame)})

    return LiveMatch(f"{reverse('live-events')}?match={match.public_id}", show)


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
