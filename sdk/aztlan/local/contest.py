"""Many games between the same players: who sits where, from which seeds, on how many processors."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from typing import TypeVar

from aztlan.local.match import Job, Outcome, play
from aztlan.local.players import Player
from engine.rulesets import Ruleset

T = TypeVar("T")
R = TypeVar("R")
Seating = tuple[Player, ...]


def fill_seats(players: Sequence[Player], seats: int) -> Seating:
    """Seat the players in their order; if there are fewer than seats, from the first again."""
    return tuple(players[i % len(players)] for i in range(seats))


def rotations(seating: Seating) -> list[Seating]:
    """All different ways to turn the table: each player comes to sit wherever another sat."""
    turned = [seating[i:] + seating[:i] for i in range(len(seating))]
    return list(dict.fromkeys(turned))


def game_seed(base: str, number: int) -> bytes:
    """The seed of a contest's game or duplicate set: anyone can derive it again."""
    return sha256(f"{base}/{number}".encode()).digest()


def duplicate_sets(seatings: Sequence[Seating], sets: int, base: str, rules: Ruleset) -> list[list[Job]]:
    """For each of several seeds, every seating once. A set is one result: its games share their luck."""
    return [[Job(seating, game_seed(base, i), rules) for seating in seatings] for i in range(sets)]


def play_jobs(jobs: Sequence[Job], processes: int) -> Iterator[Outcome]:
    """Play all of them and yield their outcomes in order."""
    return spread(play, jobs, processes)


def spread(work: Callable[[T], R], jobs: Sequence[T], processes: int) -> Iterator[R]:
    """Do every job, on several processors, and yield the results in order. To stop early stops the work."""
    if processes == 1 or len(jobs) == 1:
        yield from map(work, jobs)
        return
    # Not forked: gRPC does not survive that.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(jobs)), mp_context=fresh) as pool:
        try:
            yield from pool.map(work, jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
