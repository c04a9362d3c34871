"""One game between any players: in this process if all are house bots, else as a real match over gRPC."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aztlan.local.house_seat import house_launcher
from aztlan.local.players import HousePlayer, Player, ProgramPlayer, package_path
from aztlan.local.table import play_game
from engine.boardfile import load_board
from engine.record import Record
from engine.rulesets import Ruleset
from proto.messages import Clocks
from workers.match.plain import plain_launcher
from workers.match.report import MatchReport
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.spec import DEFAULT_CLOCKS, MatchSpec


@dataclass(frozen=True)
class Job:
    """A game to be played: who sits where, from which seed, by which rules, against which clocks."""

    players: tuple[Player, ...]
    seed: bytes
    rules: Ruleset
    clocks: Clocks = DEFAULT_CLOCKS


@dataclass(frozen=True)
class Outcome:
    """How a game went, by seat. `troubles` has a sentence for each seat that failed, "" for the others."""

    names: tuple[str, ...]
    placements: tuple[int, ...]
    scores: tuple[int, ...]
    troubles: tuple[str, ...]
    record: Record


def play(job: Job) -> Outcome:
    """Play a game."""
    names = tuple(player.name for player in job.players)
    bots = [
        player.bot(_house_seed(job, seat))
        for seat, player in enumerate(job.players)
        if isinstance(player, HousePlayer)
    ]
    if len(bots) == len(names):
        record, state = play_game(bots, job.seed, job.rules)
        return Outcome(names, tuple(state.placements()), tuple(state.scores()), ("",) * len(names), record)
    report = asyncio.run(play_real(job))
    troubles = tuple(_trouble(report, seat) for seat in range(len(names)))
    return Outcome(names, tuple(report.placements), tuple(report.scores), troubles, report.record)


async def play_real(
    job: Job, special: Mapping[int, Launcher] | None = None, sockets: Path | None = None
) -> MatchReport:
    """Play over gRPC: programs in processes of their own, house bots in threads of this one.

    Seats in `special` are launched by the caller's own means, with their sockets in the folder `sockets`.
    """
    names = tuple(player.name for player in job.players)
    board = load_board()
    spec = MatchSpec("local", names, job.seed, job.rules, board.id, board.hash, job.clocks)
    launchers = {seat: _launcher(job, seat) for seat in range(len(names))} | dict(special or {})
    return await play_match(spec, list(launchers.values()), folder=sockets)


def _launcher(job: Job, seat: int) -> Launcher:
    player = job.players[seat]
    if isinstance(player, HousePlayer):
        return house_launcher(player.bot(_house_seed(job, seat)))
    return plain_launcher(player.argv, player.folder, bot_environment(player))


def bot_environment(player: ProgramPlayer | None = None) -> dict[str, str]:
    """The author's own environment; a Python bot finds this package in it and leaves no files of bytecode."""
    own = dict(player.env) if player else {}
    return {**os.environ, "PYTHONPATH": package_path(), "PYTHONDONTWRITEBYTECODE": "1", **own}


def _house_seed(job: Job, seat: int) -> int:
    return int.from_bytes(job.seed[:8], "big") ^ seat


def _trouble(report: MatchReport, seat: int) -> str:
    """Why a seat was taken from its bot or struck, with the last line that it printed."""
    mine = report.seats[seat]
    if mine.fault is None:
        return mine.strikes[-1].reason if mine.strikes else ""
    last = mine.output.strip().rpartition("\n")[2][:300]
    return f"{mine.fault.reason} (step {mine.fault.step})" + (f"; it printed last: {last}" if last else "")
