"""Matches for the browser tests: asked for, played, reported as a host reports them."""

import json
import random
from hashlib import sha256
from typing import Any

from redis import Redis

from arena.hosts import reports
from arena.hosts.attempts import Claimant
from arena.hosts.live_frames import stream_key
from arena.matches.models import Match
from engine.record import Record, replay
from engine.replay.frames import Lens
from tests.arena.cast import ask_for, claim, make_bot
from tests.e2e.games import play
from workers.match.report import MatchReport, SeatReport

__all__ = ["NAMES", "ask_for", "claim", "new_match", "played", "public_frames", "report", "show"]

NAMES = ("Moctezuma", "Axolotl", "Greedy", "Obsidian")


def new_match(seats: int = 4, **options: Any) -> Match:
    versions = [
        make_bot(name.lower(), owner="itzel" if name == "Axolotl" else None) for name in NAMES[:seats]
    ]
    match = ask_for(versions, **options)
    # Always the same game, one in which every seat comes to hold cards.
    match.seed = bytes([1]) * 32
    match.seed_commitment = sha256(match.seed).hexdigest()
    match.save(update_fields=["seed", "seed_commitment"])
    return match


def report(match: Match, claimant: Claimant, record: Record) -> None:
    """Report a game as a host does, with notes, output and the time of each decision."""
    chance = random.Random(1)
    seats = [SeatReport(startup_us=1000, output=f"seat {seat} is ready\n") for seat in range(match.seats)]
    end = None
    for step in replay(record):
        end = step.state
        if step.seat < 0:
            continue
        seat = seats[step.seat]
        seat.steps.append(step.number - 1)
        seat.wall_us.append(chance.randrange(2_000, 90_000))
        seat.charged_us.append(seat.wall_us[-1])
        if step.number % 5 == 0:
            seat.notes[step.number - 1] = (
                f"value {chance.random():.3f}, <b>searched</b> {chance.randrange(900)}"
            )
    assert end is not None
    for seat, place, score in zip(seats, end.placements(), end.scores(), strict=True):
        seat.placement, seat.score = place, score
    told = MatchReport(match.public_id, record, tuple(seats), tuple(end.placements()), 1000, 1000, 0)
    reports.record_report(claimant, told.to_data())


def played(match: Match) -> Record:
    return play(match.seats, bytes(match.seed), NAMES[: match.seats])


def public_frames(record: Record) -> list[dict[str, Any]]:
    lens = Lens()
    return [frame for step in replay(record) for frame in lens.see(step.state, step.events)]


def show(redis: Redis, public_id: str, frames: list[dict[str, Any]]) -> None:
    """Put frames before the spectators, as a host does."""
    for frame in frames:
        redis.xadd(stream_key(public_id), {"attempt": "1", "frame": json.dumps(frame)})
