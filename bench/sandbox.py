"""From the start of a bot to its first answer: in each kind of sandbox, beside the same program without one.

The ways alternate within each round and the medians count, since machines are noisy. The bots are the SDK's
starters and answer with their hello over gRPC; only `native` is a bare program that writes one byte to its
socket, so that the sandbox is measured and not a library. `cpu` is what a bot used until it was stopped at
its first answer, `gone` how long it took from there until nothing of it was left.
"""

import asyncio
import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from bench.figures import figure
from workers.match.plain_process import plain_launcher
from workers.match.seat_server import SeatServer
from workers.runtimes.build import build_bot
from workers.runtimes.node import modules_folder
from workers.runtimes.registry import find_runtime
from workers.sandbox.base import Launch, Running, SandboxSettings, open_run_folder
from workers.sandbox.choose import open_sandbox
from workers.sandbox.launcher import SandboxLauncher, environment
from workers.sandbox.none import NoIsolation

ROUNDS = int(os.environ.get("ROUNDS", "15"))
TARGET_ADDED_MS = 30
TARGET_WARM = 0.3
CPP = """\
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main() {
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un a{AF_UNIX, {}};
    std::strcpy(a.sun_path, std::getenv("AZTLAN_SOCKET"));
    if (connect(s, reinterpret_cast<sockaddr*>(&a), sizeof a) || write(s, "x", 1) != 1) return 1;
    pause();
}
"""
STARTERS = {"python": "python", "node": "javascript", "jsonlines": "cpp"}
PROJECT = Path(__file__).resolve().parents[1]


@dataclass
class Way:
    """One way to start one bot, and what it took, in milliseconds."""

    runtime: str
    name: str
    start: Callable[[Path], Awaitable[Running]]
    answer: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)


def main() -> None:
    """Measure all ways that this host has."""
    asyncio.run(measure())


async def measure() -> None:
    with tempfile.TemporaryDirectory(prefix="aztlan-bench-") as name:
        os.chmod(name, 0o755)  # noqa: PTH101  a name, no Path
        sandboxes = await open_sandboxes()
        ways = [way for runtime in runtimes() for way in await ways_of(runtime, Path(name), sandboxes)]
        for _ in range(ROUNDS + 1):
            for way in ways:
                await take(way)
        for sandbox in sandboxes.values():
            await sandbox.close()
    show(ways)


async def open_sandboxes() -> dict[str, SandboxLauncher]:
    cold = await open_sandbox(SandboxSettings(warm=False))
    print(cold.enforced)
    sandboxes = {"bubblewrap, cold": cold, "bubblewrap, warm": await open_sandbox(SandboxSettings())}
    if shutil.which("runsc"):
        sandboxes["gvisor"] = await open_sandbox(SandboxSettings(kind="gvisor"))
    return sandboxes


def runtimes() -> list[str]:
    """Return the runtimes that this host has all tools for."""
    there = {
        "python": True,
        "node": bool(shutil.which("node")) and modules_folder().is_dir(),
        "jsonlines": bool(shutil.which("g++")),
        "native": bool(shutil.which("g++")),
    }
    return [runtime for runtime, has in there.items() if has]


async def ways_of(runtime: str, parent: Path, sandboxes: dict[str, SandboxLauncher]) -> list[Way]:
    """Write and build a bot of a runtime; return the ways to start it, the bare one first."""
    folder = parent / runtime
    entry = write_bot(runtime, folder)
    build = await build_bot(sandboxes["bubblewrap, cold"], runtime, folder, entry)
    if not build.ok:
        raise RuntimeError(f"the {runtime} bot does not build: {build.log.decode()}")
    launch = Launch(runtime, folder, entry, artifact=folder / "built" if build.artifact else None)
    if launch.artifact:
        build.save(launch.artifact)
    can_be_warm = find_runtime(runtime).run_command(entry).warm
    return [bare(launch)] + [
        Way(runtime, name, starter(sandbox, launch))
        for name, sandbox in sandboxes.items()
        if can_be_warm or not sandbox.enforced.warm
    ]


def write_bot(runtime: str, folder: Path) -> str:
    if runtime == "native":
        folder.mkdir()
        (folder / "bot.cpp").write_text(CPP)
        return "bot.cpp"
    shutil.copytree(PROJECT / "sdk/aztlan/starters" / STARTERS[runtime], folder)
    shutil.copy(PROJECT / "proto/bot/v1/bot.proto", folder)
    if runtime == "node":
        (folder / "node_modules").symlink_to(modules_folder())  # for the bare one
    return str(tomllib.loads((folder / "bot.toml").read_text())["entry"])


def bare(launch: Launch) -> Way:
    """Start the same program, with the same interpreter and compiled files, as a plain process."""
    command = find_runtime(launch.runtime).run_command(launch.entry)
    program = NoIsolation().program(launch, command, environment(launch, command), None)
    return Way(launch.runtime, "bare", plain_launcher(program.argv, launch.folder, program.env))


def starter(sandbox: SandboxLauncher, launch: Launch) -> Callable[[Path], Awaitable[Running]]:
    return lambda socket: sandbox.start(replace(launch, socket=socket))


async def take(way: Way) -> None:
    """Start a bot, wait for its first answer, stop it, and write down what that took."""
    async with listen(grpc=way.runtime != "native") as (socket, answered):
        began, used = time.perf_counter(), children_cpu()
        running = await way.start(socket)
        await asyncio.wait_for(answered.wait(), 60)
        heard = time.perf_counter()
        running.kill()
        exit_ = await running.wait()
        gone = time.perf_counter()
    way.answer.append((heard - began) * 1e3)
    way.cpu.append((exit_.cpu_seconds or children_cpu() - used) * 1e3)
    way.gone.append((gone - heard) * 1e3)


def children_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


@asynccontextmanager
async def listen(*, grpc: bool) -> AsyncIterator[tuple[Path, asyncio.Event]]:
    """Serve a seat's socket until the first message, or the first byte."""
    folder, answered = open_run_folder(), asyncio.Event()
    path = folder / "seat.sock"
    if grpc:
        server = SeatServer(path, lambda _: answered.set(), lambda _: None)
        await server.start()
        yield path, answered
        await server.stop()
    else:

        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if await reader.read(1):
                answered.set()
            writer.close()

        async with await asyncio.start_unix_server(hear, path):
            yield path, answered
    shutil.rmtree(folder)


def show(ways: list[Way]) -> None:
    for way in ways:
        alone = next(one for one in ways if one.runtime == way.runtime)
        # The first round filled caches and is not counted. Ways are compared within a round.
        pairs = list(zip(way.answer[1:], alone.answer[1:], strict=True))
        ratio = median(ours / theirs for ours, theirs in pairs)
        added = median(ours - theirs for ours, theirs in pairs)
        name = f"{way.runtime}, {way.name}"
        is_warm_python = name == "python, bubblewrap, warm"
        is_cold = way.name == "bubblewrap, cold"
        figure(f"{name}, first answer after", median(way.answer[1:]), "ms")
        if way is not alone:
            figure(f"{name}, over bare", ratio, "x", at_most=TARGET_WARM if is_warm_python else None)
            figure(f"{name}, added to bare", added, "ms", at_most=TARGET_ADDED_MS if is_cold else None)
        figure(f"{name}, CPU time", median(way.cpu[1:]), "ms")
        figure(f"{name}, gone after", median(way.gone[1:]), "ms")


if __name__ == "__main__":
    main()
