"""The SDK's starters play whole matches inside sandboxes, each in its own language."""

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from engine.boardfile import load_board
from engine.record import verify
from engine.rulesets import ruleset
from proto.messages import Clocks
from workers.match.report import MatchReport
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.spec import MatchSpec
from workers.runtimes.build import build_bot
from workers.runtimes.node import modules_folder
from workers.sandbox.base import Launch, Running, open_run_folder
from workers.sandbox.launcher import SandboxLauncher

SDK = Path(__file__).parents[3] / "sdk/aztlan"
CONTRACT = Path(__file__).parents[3] / "proto/bot/v1/bot.proto"
PATIENT = Clocks(startup_ms=60_000, bank_ms=120_000, increment_ms=0, decision_ms=60_000)
needs_node = pytest.mark.skipif(not modules_folder().is_dir(), reason="Node's packages were not fetched")
needs_cpp = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed")


async def prepare(sandbox: SandboxLauncher, parent: Path, language: str) -> Launch:
    folder = parent / language
    shutil.copytree(SDK / "starters" / language, folder)
    shutil.copy(CONTRACT, folder / "bot.proto")
    manifest = tomllib.loads((folder / "bot.toml").read_text())
    launch = Launch(manifest["runtime"], folder, manifest["entry"], label=language)
    build = await build_bot(sandbox, launch.runtime, folder, launch.entry)
    assert build.ok, build
    if not build.artifact:
        return launch
    build.save(parent / "built")
    return replace(launch, artifact=parent / "built")


def launcher(sandbox: SandboxLauncher, launch: Launch) -> Launcher:
    async def start(socket: Path) -> Running:
        return await sandbox.start(replace(launch, socket=socket))

    return start


async def play(launchers: list[Launcher]) -> MatchReport:
    board = load_board()
    names = tuple(f"bot {number}" for number in range(len(launchers)))
    spec = MatchSpec("starters", names, bytes(32), ruleset("english"), board.id, board.hash, PATIENT)
    folder = open_run_folder()
    report = await play_match(spec, launchers, folder=folder)
    shutil.rmtree(folder)
    verify(report.record)
    return report


@pytest.mark.parametrize(
    "language",
    ["python", pytest.param("javascript", marks=needs_node), pytest.param("cpp", marks=needs_cpp)],
)
async def test_a_starter_plays_a_whole_match(
    sandbox: SandboxLauncher, bot_folder: Path, language: str
) -> None:
    launch = await prepare(sandbox, bot_folder, language)
    report = await play([launcher(sandbox, launch), launcher(sandbox, launch)])
    for seat in report.seats:
        assert not seat.fault, (seat.fault, seat.output)
        assert not seat.strikes, seat.strikes
