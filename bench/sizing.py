"""What an operator needs to size an arena: matches per core-hour by kind of bot, and requests per core.

Matches are played as on a match host: in sandboxes, with warm starts, one after another. What they cost is the
CPU time of all processes together: bots, sandboxes and host. The start of a host is measured apart, with one
match, and subtracted. Requests are divided by the CPU time of the web process and its children.
"""

import os
import resource
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import psutil
import uvloop

from bench._load_client import visit
from bench.figures import figure
from bench.load import PERSONAL, VISITORS, filled_arena, serving
from bench.runner import process
from engine.boardfile import load_board
from engine.rulesets import ruleset
from workers.host.work import launcher
from workers.match.runner import play_match
from workers.match.spec import DEFAULT_CLOCKS, MatchSpec
from workers.polling import POLLING
from workers.sandbox.base import Launch, SandboxSettings, open_run_folder
from workers.sandbox.choose import open_sandbox
from workers.sandbox.launcher import SandboxLauncher

SECONDS = float(os.environ.get("SECONDS", "5"))
MATCHES = {"random": 6, "greedy": 6, "settler": 6, "searcher": 2}
"""How many matches of each kind of house bot are played."""
SEATS = (2, 4)
PAGES = ("ladder page", PERSONAL, "API list", "replay page")
SOURCE = 'from aztlan.house.__main__ import main\n\nmain(["{name}", "{seed}"])\n'


def main() -> None:
    for kind, matches in MATCHES.items():
        for seats in SEATS:
            used = cpu_seconds(kind, seats, matches + 1) - cpu_seconds(kind, seats, 1)
            figure(f"{kind}, {seats} seats, matches per core-hour", 3600 * matches / used)
    with filled_arena() as (paths, _, _), serving("arena.asgi") as port:
        for page in PAGES:
            measure_requests(page, paths[page], port)


def cpu_seconds(kind: str, seats: int, matches: int) -> float:
    """Return the CPU time of a process that plays so many matches, and of all that it starts."""
    with process(POLLING) as host:  # where gRPC polls as on match hosts
        return float(host.apply(play_matches, (kind, seats, matches)))


def play_matches(kind: str, seats: int, matches: int) -> float:
    uvloop.run(play_all(kind, seats, matches))
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


async def play_all(kind: str, seats: int, matches: int) -> None:
    """Play one match after another; when the sandbox is closed, all that it started has been waited for."""
    sandbox = await open_sandbox(SandboxSettings())
    try:
        for number in range(matches):
            await play(sandbox, kind, seats, number)
    finally:
        await sandbox.close()


async def play(sandbox: SandboxLauncher, kind: str, seats: int, number: int) -> None:
    board, clocks = load_board(), replace(DEFAULT_CLOCKS, startup_ms=60_000, bank_ms=600_000)
    seed = number.to_bytes(32, "big")
    spec = MatchSpec(f"bench{number}", (kind,) * seats, seed, ruleset(), board.id, board.hash, clocks)
    with tempfile.TemporaryDirectory(prefix="aztlan-sizing-") as name:
        launch = Launch("python", write_bot(Path(name), kind, number), "bot.py", label="a bot")
        sockets = open_run_folder()
        try:
            bots = [launcher(sandbox, launch, None) for _ in range(seats)]
            report = await play_match(spec, bots, folder=sockets)
        finally:
            shutil.rmtree(sockets)
    for seat in report.seats:
        if seat.fault:
            raise RuntimeError(f"a bot failed: {seat.fault} {seat.output}")


def write_bot(folder: Path, kind: str, seed: int) -> Path:
    """Write a house bot where sandboxes can read it."""
    folder.chmod(0o755)
    (folder / "bot.py").write_text(SOURCE.format(name=kind, seed=seed))
    return folder


def measure_requests(page: str, path: str, port: int) -> None:
    cookie = "visitor=" if page == PERSONAL else ""
    visit(port, path, 5, 0.5, cookie)
    used = server_seconds(port)
    burst = visit(port, path, VISITORS, SECONDS, cookie)
    figure(f"{page}, requests per core-second", len(burst.times) / (server_seconds(port) - used), "/s")
    figure(f"{page}, errors", burst.errors, at_most=0)


def server_seconds(port: int) -> float:
    """Return the CPU time of the web process on a port and of its children."""
    for server in psutil.Process().children():
        if f"--port {port}" in " ".join(server.cmdline()):
            together = [server, *server.children(recursive=True)]
            return sum(sum(one.cpu_times()[:4]) for one in together)
    raise RuntimeError(f"nothing serves port {port}")


if __name__ == "__main__":
    main()
