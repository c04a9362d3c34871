"""Many games between the same players: who sits where, from which seeds, on how many processors."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from itertools import combinations
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


def round_robin(players: Sequence[Player], seats: int) -> list[Seating]:
    """Return every combination of the players at a table of this size."""
    return list(combinations(dict.fromkeys(players), seats))


def gauntlet(players: Sequence[Player], seats: int) -> list[Seating]:
    """Return every table at which the first player meets others."""
    first, *others = dict.fromkeys(players)
    return [(first, *company) for company in combinations(others, seats - 1)]


def play_jobs(jobs: Sequence[Job], processes: int) -> Generator[tuple[int, Outcome], None, None]:
    """Play all of them and yield the outcomes as games end, each with its job's index."""
    return spread(play, jobs, processes)


def play_all(jobs: Sequence[Job], processes: int) -> list[Outcome]:
    """Play all of them and return the outcomes in order."""
    outcomes = dict(play_jobs(jobs, processes))
    return [outcomes[number] for number in range(len(jobs))]


def spread(work: Callable[[T], R], jobs: Sequence[T], processes: int) -> Generator[tuple[int, R], None, None]:
    """Do every job, on several processors, and yield each result with its index as soon as it is there.

    Closing the iterator stops the work.
    """
    if processes == 1 or len(jobs) == 1:
        yield from ((number, work(job)) for number, job in enumerate(jobs))
        return
    # Not forked: gRPC does not survive that.
    fresh = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(min(processes, len(jobs)), fresh, obey_parent) as pool:
        numbers = {pool.submit(work_or_stop, work, job): number for number, job in enumerate(jobs)}
        try:
            for done in as_completed(numbers):
                yield numbers[done], done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if not all(done.done() for done in numbers):
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()


def obey_parent() -> None:
    """Leave it to the first process what Ctrl-C means, and end a game in good order when it says so."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # the terminal tells the first process alone
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as on Windows
    signal.signal(signal.SIGTERM, end_game)


def end_game(*_: object) -> None:
    """Have a match that is being played called off, which ends its bots; begin no other."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        signal.raise_signal(signal.SIGINT)  # asyncio listens to it while a match is played
    else:
        sys.exit(1)


def work_or_stop(work: Callable[[T], R], job: T) -> R:
    """Do a job, unless this process was told to end during the one before."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        sys.exit(1)
    return work(job)
