"""One game between any players: in this process, or as a real match over gRPC where a bot is a program."""

import asyncio
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aztlan.conversation import Conversation
from aztlan.errors import SdkError
from aztlan.local.house_seat import house_launcher
from aztlan.local.in_process import ProgramSeat
from aztlan.local.players import HousePlayer, Player, ProgramPlayer, package_path
from aztlan.local.table import Talk, play_seats
from engine.boardfile import load_board
from engine.record import Record
from engine.rulesets import Ruleset
from proto.messages import Clocks
from workers.match.faults import Fault, final_placements
from workers.match.plain_process import plain_launcher
from workers.match.report import MatchReport, SeatReport
from workers.match.runner import play_match
from workers.match.seat import Launcher
from workers.match.spec import DEFAULT_CLOCKS, MatchSpec

LINES_SHOWN = 200


@dataclass(frozen=True)
class Job:
    """A game to be played: who sits where, from which seed, by which rules, against which clocks."""

    players: tuple[Player, ...]
    seed: bytes
    rules: Ruleset
    clocks: Clocks = DEFAULT_CLOCKS
    in_process: bool = False
    """Play Python bots in this process, without clocks."""


@dataclass(frozen=True)
class Outcome:
    """How a game went, by seat. `troubles` has a sentence for each seat that failed or was struck."""

    names: tuple[str, ...]
    placements: tuple[int, ...]
    scores: tuple[int, ...]
    troubles: tuple[str, ...]
    record: Record
    failures: Mapping[int, str] = field(default_factory=dict)
    """For each seat that was taken from its bot, why, with all that the bot printed."""
    outputs: Mapping[int, str] = field(default_factory=dict)
    """What the programs printed; in this process they print for themselves."""
    notes: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """What the programs noted, by step."""


def play(job: Job) -> Outcome:
    """Play a game."""
    if any(isinstance(player, ProgramPlayer) for player in job.players) and not job.in_process:
        return _outcome(job, asyncio.run(play_real(job)))
    return _play_here(job)


def _play_here(job: Job) -> Outcome:
    """Play in this process, by the rules alone."""
    seats = [_talk(job, seat) for seat in range(len(job.players))]
    programs = {seat: talk for seat, talk in enumerate(seats) if isinstance(talk, ProgramSeat)}
    record, state = play_seats(seats, job.seed, job.rules)
    faults = {seat: one.fault for seat, one in programs.items() if one.fault}
    troubles = [""] * len(seats)
    for seat, one in programs.items():
        troubles[seat] = _sentence(one.fault, one.printed) if one.fault else (one.strikes or [""])[-1]
    return Outcome(
        tuple(player.name for player in job.players),
        tuple(final_placements(state.placements(), faults)),
        tuple(state.scores()),
        tuple(troubles),
        record,
        failures={seat: _whole(fault, programs[seat].printed) for seat, fault in faults.items()},
        notes={seat: one.notes for seat, one in programs.items()},
    )


def _talk(job: Job, seat: int) -> Talk:
    player = job.players[seat]
    if isinstance(player, HousePlayer):
        return Conversation(player.bot(_house_seed(job, seat)))
    if player.source is None:
        raise SdkError(f"{player.name} is not a Python bot, and only those can be played in process")
    return ProgramSeat(player.name, player.source, player.folder, seat, job.seed)


def _outcome(job: Job, report: MatchReport) -> Outcome:
    seats = dict(enumerate(report.seats))
    programs = {
        seat: seats[seat] for seat, player in enumerate(job.players) if isinstance(player, ProgramPlayer)
    }
    return Outcome(
        tuple(player.name for player in job.players),
        tuple(report.placements),
        tuple(report.scores),
        tuple(_trouble(one) for one in report.seats),
        report.record,
        failures={seat: _whole(one.fault, one.output) for seat, one in seats.items() if one.fault},
        outputs={seat: one.output for seat, one in programs.items()},
        notes={seat: one.notes for seat, one in programs.items()},
    )


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
    loopback = sockets is None and not has_unix_sockets()
    return await play_match(spec, list(launchers.values()), folder=sockets, loopback=loopback)


def has_unix_sockets() -> bool:
    """Whether seats can be unix sockets here, as in the arena. AZTLAN_LOOPBACK=1 does without them."""
    return hasattr(socket, "AF_UNIX") and os.environ.get("AZTLAN_LOOPBACK") != "1"


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


def _trouble(mine: SeatReport) -> str:
    """Why a seat was taken from its bot or struck, with the last line that it printed."""
    if mine.fault is None:
        return mine.strikes[-1].reason if mine.strikes else ""
    return _sentence(mine.fault, mine.output)


def _sentence(fault: Fault, printed: str) -> str:
    last = printed.strip().rpartition("\n")[2][:300]
    return f"{fault.reason} (step {fault.step})" + (f"; it printed last: {last}" if last else "")


def _whole(fault: Fault, printed: str) -> str:
    """A fault with the end of what the bot printed, which holds the whole of its last traceback."""
    lines = printed.strip().splitlines()[-LINES_SHOWN:]
    hint = "\nbreakpoint() works with --in-process." if "bdb.BdbQuit" in printed else ""
    said = ". It printed:\n" + "\n".join(lines) if lines else ""
    return f"{fault.reason} (step {fault.step}){said}{hint}"
