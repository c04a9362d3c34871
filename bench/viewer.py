"""The replay viewer in a real browser, and 500 spectators of one live match on one web process.

Targets: the first picture of a replay for four within 1 s and with less than 60 KB beside the board; a step
drawn in less than 8 ms (median); no frame lost to any of 500 spectators. Static files are collected and
compressed, as in a deployment; the web server is one process.
"""

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from bench._spectators import gather
from bench.figures import figure

CHROMIUM = shutil.which("chromium")
OPENINGS = 7
SETTLING_MS = 1000
"""A new window has work of its own, up to a quarter of a second of CPU, which is not the page's."""
SPECTATORS = 500
SHOWN_FRAMES = 200
with socket.create_server(("127.0.0.1", 0)) as free:
    PORT = free.getsockname()[1]
ADDRESS = f"http://127.0.0.1:{PORT}"

DRAW_ALL = """() => {
  const times = [];
  for (let at = 0; at <= viewer.game.last; at += 1) {
    const begun = performance.now();
    viewer.go(at);
    viewer.board.svg.getBoundingClientRect(); // makes the browser work out styles and layout as well
    times.push(performance.now() - begun);
  }
  return times;
}"""

# When the picture of the board, the largest of the page, was on the screen; the mark comes with all that lies on it.
NOTE_BOARD = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.element?.closest(".stage")) window.boardSeen ??= entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });"""
READ_TIMES = "() => [window.boardSeen, performance.getEntriesByName('viewer-painted')[0].startTime]"


@contextmanager
def small_arena() -> Iterator[None]:
    """An arena of its own in a temporary folder, served by one web process."""
    folder = Path(tempfile.mkdtemp(prefix="arena-bench-"))
    static = folder / "static"
    os.environ |= {"ARENA_HOME": str(folder), "DJANGO_SETTINGS_MODULE": "arena.settings"}
    os.environ["ARENA_STATIC_ROOT"] = str(static)
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
            call_command("collectstatic", verbosity=0, interactive=False)
            command = f"uvicorn arena.asgi:application --no-proxy-headers --port {PORT} --log-level warning --lifespan off"
            web = subprocess.Popen([sys.executable, "-W", "ignore", "-m", *command.split()])
            try:
                wait_for(f"{ADDRESS}/healthz")
                yield
            finally:
                web.terminate()
                web.wait(10)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(address: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(address)
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"{address} does not answer")


def measure_page(browser: Any, path: str) -> tuple[float, float, int, int]:
    """Open a page with empty caches: ms to the board and to the first picture, bytes beside the board and of it."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=ADDRESS)
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    urls: dict[str, str] = {}
    sent = {"board": 0, "rest": 0}

    def finished(event: dict[str, Any]) -> None:
        part = "board" if "/boards/" in urls[event["requestId"]] else "rest"
        sent[part] += int(event["encodedDataLength"])

    def begun(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = event["request"]["url"]

    network.on("Network.requestWillBeSent", begun)
    network.on("Network.loadingFinished", finished)
    page.add_init_script(NOTE_BOARD)
    page.wait_for_timeout(SETTLING_MS)
    page.goto(path)
    page.wait_for_selector(".viewer.ready .panels")  # which come after the first picture
    page.wait_for_load_state("networkidle")
    seen, ready = page.evaluate(READ_TIMES)
    context.close()
    return seen, ready, sent["rest"], sent["board"]


def measure_steps(browser: Any, path: str) -> list[float]:
    page = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=ADDRESS).new_page()
    page.goto(path)
    page.wait_for_selector(".viewer.ready")
    times: list[float] = page.evaluate(DRAW_ALL)
    return times


def measure_viewer(path: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        openings = [measure_page(browser, path) for _ in range(OPENINGS)]
        times = measure_steps(browser, path)
        browser.close()
    seen = statistics.median(one[0] for one in openings)
    first = statistics.median(one[1] for one in openings)
    _, _, rest, board = openings[0]
    late = sorted(times)[int(len(times) * 0.95)]
    figure(f"the board visible, median of {OPENINGS}", seen, "ms")
    figure(f"first picture, median of {OPENINGS}", first, "ms", at_most=1000)
    figure("sent besides the board", rest / 1000, "KB", at_most=60)
    figure("the board", board / 1000, "KB")
    figure("a step drawn, median", statistics.median(times), "ms", at_most=8)
    figure("a step drawn, 95 % within", late, "ms")


def measure_live(public_id: str, frames: list[dict[str, Any]]) -> None:
    from django.conf import settings
    from redis import Redis

    from arena.hosts.live_frames import stream_key

    shown: list[float] = []
    with Redis.from_url(settings.REDIS_URL) as redis:

        async def show() -> None:
            for frame in frames:
                shown.append(time.monotonic())
                redis.xadd(stream_key(public_id), {"attempt": "1", "frame": json.dumps(frame)})
                await asyncio.sleep(0.05)

        seen = asyncio.run(gather(ADDRESS, public_id, SPECTATORS, len(frames) - 1, show))
    lost = sum(len(frames) - len(set(one.steps)) for one in seen)
    disordered = sum(one.steps != sorted(one.steps) for one in seen)
    pairs = [pair for one in seen for pair in zip(one.steps, one.times, strict=True)]
    lags = sorted(came - shown[step] for step, came in pairs)
    name = f"{SPECTATORS} spectators, {len(frames)} frames each"
    figure(f"{name}, frames lost", lost, at_most=0)
    figure(f"{name}, spectators with frames out of order", disordered, at_most=0)
    figure(f"{name}, late by (median)", 1000 * lags[len(lags) // 2], "ms")
    figure(f"{name}, late by (99 %)", 1000 * lags[int(len(lags) * 0.99)], "ms")


def main() -> None:
    if not CHROMIUM:
        raise SystemExit(
            "The viewer is measured in a browser, and there is none: sudo apt-get install chromium"
        )
    with small_arena():
        from arena.replays.selectors import record_of
        from arena.replays.stored_frames import frames_of
        from bench._cast import ask_for, claim, finish, make_bot

        versions = [make_bot(f"bot-{number}") for number in range(4)]
        over = ask_for(versions)
        finish(over)
        over.refresh_from_db()
        record = record_of(over)
        assert record is not None
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        measure_viewer(f"/matches/{over.public_id}/")
        running = ask_for(versions)
        claim(running, host="another")
        measure_live(running.public_id, list(islice(frames_of(record, "public"), SHOWN_FRAMES)))


if __name__ == "__main__":
    main()
