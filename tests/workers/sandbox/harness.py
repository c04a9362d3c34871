"""Plays villains' matches as the user it is started as, and tells as JSON lines how each went.

Each match has four seats: the villain after a cold start, an honest bot, the villain after a warm start, an
honest bot; or the villain in all of them, where it is to be found `everywhere`. A line on stdin names a
villain; a line on stdout says what the report said and what was left on the host.
"""

import asyncio
import json
import os
import secrets
import shutil
import socket
import sys
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.boardfile import load_board
from engine.record import verify
from engine.rulesets import ruleset
from proto.messages import Clocks
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.spec import MatchSpec
from workers.sandbox.base import MIB, Launch, ResourceLimits, SandboxSettings, open_run_folder
from workers.sandbox.choose import open_sandbox
from workers.sandbox.launcher import SandboxLauncher

HERE = Path(__file__).parent
FIRST_UID, SLOTS = 71_000, 16
CLOCKS = Clocks(startup_ms=20_000, bank_ms=5_000, increment_ms=50, decision_ms=4_000)
LIMITS = ResourceLimits(
    memory=128 * MIB, processes=32, cpu_seconds=30, wall_seconds=60, tmp_size=16 * MIB, output_allowed=4 * MIB
)
FORKER = "workers.sandbox.fork_server"
ABSTRACT = "\0aztlan-villains"


class Stage:
    """Everything a villain may want to get at on the host, and a folder with each bot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secret = folder / "secret.txt"
        self.secret.write_text("host-secret")
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(ABSTRACT + str(os.getpid()))
        self.abstract.listen()

    def bot(self, source: Path) -> Path:
        """Copy a bot, with what all share, to where a sandbox can reach it."""
        target = self.folder / "bots" / source.name
        if not target.exists():
            shutil.copytree(source, target, symlinks=True)
            shutil.copy(HERE / "cast.py", target)
        return target

    def env(self, seat: int) -> dict[str, str]:
        return {
            "SEAT_SECRET": f"seat-secret-{seat}-{secrets.token_hex(8)}",
            "HOST_PID": str(os.getpid()),
            "HOST_PORT": str(self.tcp.getsockname()[1]),
            "HOST_SECRET": str(self.secret),
            "HOST_ABSTRACT": ABSTRACT[1:] + str(os.getpid()),
            "HOST_UID": str(os.getuid()),
            "OTHER_FOLDER": str(self.folder / "bots/honest"),
        }


def launcher(sandbox: SandboxLauncher, launch: Launch) -> Launcher:
    def start(path: Path) -> Any:
        env = {**launch.env, "OTHER_SOCKET": str(path.with_name("seat1.sock"))}
        return sandbox.start(replace(launch, socket=path, env=env))

    return start


async def play_villain(
    name: str, stage: Stage, cold: SandboxLauncher, warm: SandboxLauncher
) -> dict[str, Any]:
    expected = tomllib.loads((HERE / "villains" / name / "expect.toml").read_text())
    limits = replace(LIMITS, **expected.get("limits", {}))
    villain = stage.bot(HERE / "villains" / name)
    honest = villain if expected.get("everywhere") else stage.bot(HERE / "honest")
    cast = [(cold, villain, limits), (warm, honest, LIMITS), (warm, villain, limits), (cold, honest, LIMITS)]
    launchers = [
        launcher(
            sandbox,
            Launch("python", folder, "bot.py", limits=limit, env=stage.env(seat), label=f"seat {seat}"),
        )
        for seat, (sandbox, folder, limit) in enumerate(cast)
    ]
    run = open_run_folder()
    spec = match_spec(replace(CLOCKS, **expected.get("clocks", {})))
    report = await play_match(spec, launchers, folder=run)
    shutil.rmtree(run)
    verify(report.record)
    return {
        "wall": report.wall_us / 1e6,
        "seats": [seat.to_data() for seat in report.seats],
        "left": await left_for_good(stage),
    }


def match_spec(clocks: Clocks) -> MatchSpec:
    board = load_board()
    names = ("cold villain", "honest 1", "warm villain", "honest 2")
    return MatchSpec(
        "villains", names, secrets.token_bytes(32), ruleset("english"), board.id, board.hash, clocks
    )


async def left_for_good(stage: Stage) -> dict[str, list[str]]:
    """Look until nothing is left, for two seconds: the kernel takes a moment to clear away what was killed."""
    for _ in range(40):
        if not any((left := left_behind(stage)).values()):
            return left
        await asyncio.sleep(0.05)
    return left_behind(stage)


def left_behind(stage: Stage) -> dict[str, list[str]]:
    """Return what a match may have left: processes, mounts, cgroups and files."""
    mounts = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if "aztlan" in line]
    cgroups = [str(path) for path in Path("/sys/fs/cgroup").rglob(f"aztlan-{os.getpid()}-*")]
    known = {stage.folder / "bots", stage.secret}
    files = [str(path) for path in Path(tempfile.gettempdir()).iterdir() if path not in known]
    return {"processes": strangers(), "mounts": mounts, "cgroups": cgroups, "files": files}


def strangers() -> list[str]:
    """Return the processes under a sandbox's uid, except fork servers and those of another suite."""
    uids = set(range(FIRST_UID, FIRST_UID + SLOTS)) if os.getuid() == 0 else {os.getuid()}
    # Where the tests themselves run as this user, the uid says nothing; then only our descendants count.
    is_shared = Path(f"/proc/{os.getppid()}").stat().st_uid in uids
    elsewhere = is_not_ours if is_shared else belongs_elsewhere
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and folder.stat().st_uid in uids and not elsewhere(folder):
                about = (folder / "cmdline").read_text() or (folder / "stat").read_text()
                found.append(f"{folder.name} {about}")
        except OSError:
            continue
    return [line for line in found if FORKER not in line and "harness.py" not in line]


def parent_of(folder: Path) -> int:
    return int((folder / "stat").read_text().rpartition(")")[2].split()[1])


def is_not_ours(folder: Path) -> bool:
    """Whether a process does not descend from us. Forkers take in the orphans of their sandboxes."""
    parent = parent_of(folder)
    return parent != os.getpid() and (parent <= 1 or is_not_ours(Path(f"/proc/{parent}")))


def belongs_elsewhere(folder: Path) -> bool:
    """Whether a fork server that is not ours is among a process's ancestors; orphans belong to nobody."""
    parent = parent_of(folder)
    if parent in {0, 1, os.getpid()}:
        return False
    above = Path(f"/proc/{parent}")
    if FORKER in (above / "cmdline").read_text():
        return parent_of(above) != os.getpid()
    return belongs_elsewhere(above)


async def main() -> None:
    stage = Stage(Path(tempfile.gettempdir()))
    common = SandboxSettings(kind=sys.argv[1], first_uid=FIRST_UID, slots=SLOTS)
    cold, warm = await open_sandbox(replace(common, warm=False)), await open_sandbox(common)
    print(json.dumps({"cold": str(cold.enforced), "warm": str(warm.enforced)}), flush=True)
    for line in iter(sys.stdin.readline, ""):
        try:
            result = await play_villain(line.strip(), stage, cold, warm)
        except Exception as error:  # noqa: BLE001  the test must hear of it, whatever it is
            result = {"error": repr(error)}
        print(json.dumps(result), flush=True)
    await cold.close()
    await warm.close()


if __name__ == "__main__":
    asyncio.run(main())
