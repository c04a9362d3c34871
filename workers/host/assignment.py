"""What the arena tells a host about the work that it has claimed, read strictly."""

from dataclasses import dataclass
from typing import Any

from workers.match.sampled_worlds import WorldTask
from workers.match.spec import MatchSpec
from workers.match.strict import DataError, fields, hexadecimal, items, number, text


@dataclass(frozen=True)
class AssignedBot:
    """One version of a bot: where its archive is, and how it is run."""

    name: str
    sha256: str
    source: str
    built: str | None
    built_key: str | None
    runtime: str
    entry: str


@dataclass(frozen=True)
class WorldAssignment:
    """Games to play on from a position in sampled worlds; the stand-in replaces bots that cannot go on."""

    task: WorldTask
    bots: list[AssignedBot]
    stand_in: AssignedBot


@dataclass(frozen=True)
class Assignment:
    """A match to play, with one bot per seat; without a match, games in sampled worlds or a bot to build."""

    lease_seconds: int
    beat_seconds: int
    match: MatchSpec | None
    bots: list[AssignedBot]
    worlds: WorldAssignment | None = None


def read_assignment(data: Any) -> Assignment:
    names = ("lease_seconds", "beat_seconds", "match", "bots")
    worlds = None
    if isinstance(data, dict) and "worlds" in data:
        worlds = read_worlds(data["worlds"])
        data = {name: value for name, value in data.items() if name != "worlds"}
    lease, beat, match, bots = fields(data, "assignment", names)
    assignment = Assignment(
        number(lease, "assignment.lease_seconds", 1, 3600),
        number(beat, "assignment.beat_seconds", 1, 3600),
        None if match is None else MatchSpec.from_data(match),
        items(bots, "assignment.bots", read_bot, 4),
        worlds,
    )
    expected = 0 if worlds else assignment.match.seats if assignment.match else 1
    if len(assignment.bots) != expected:
        raise DataError("assignment.bots must be one bot per seat, or the one to build")
    return assignment


def read_worlds(data: Any) -> WorldAssignment:
    task, bots, stand_in = fields(data, "worlds", ("task", "bots", "stand_in"))
    read = WorldTask.from_data(task)
    players = items(bots, "worlds.bots", read_bot, 4)
    if len(players) != read.spec.seats:
        raise DataError("worlds.bots must be one bot per seat")
    return WorldAssignment(read, players, read_bot(stand_in, "worlds.stand_in"))


def read_bot(data: Any, where: str) -> AssignedBot:
    names = tuple(AssignedBot.__dataclass_fields__)
    name, sha256, source, built, built_key, runtime, entry = fields(data, where, names)
    hexadecimal(sha256, f"{where}.sha256", 32)
    return AssignedBot(
        text(name, f"{where}.name", 100),
        sha256,
        text(source, f"{where}.source", 1000),
        None if built is None else text(built, f"{where}.built", 1000),
        None if built_key is None else read_key(built_key, sha256, f"{where}.built_key"),
        text(runtime, f"{where}.runtime", 20),
        text(entry, f"{where}.entry", 200),
    )


def read_key(value: Any, sha256: str, where: str) -> str:
    """Return the name of a built file in the cache: its source's digest and a number, never a path."""
    start, _, rest = text(value, where, 100).partition("-")
    if start != sha256 or not rest.isdecimal():
        raise DataError(f"{where} must be the digest of the source and a number")
    return f"{sha256}-{rest}"
