"""Who plays whom next on a ladder, as pure functions of plain values."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Final

from contests.rating import SIGMA

REACH: Final = 150.0
"""Rating points at which an opponent is chosen a third as often as one of the same rating."""
FAR: Final = 0.05
"""The minimum weight of an opponent, however distant: once in a while, everybody meets everybody."""
WAIT_SECONDS: Final = 600.0
"""Waiting this long is as urgent as knowing nothing about a bot."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that may be paired. Bots of one owner never meet; a house bot has an owner of its own."""

    bot: int
    owner: int
    rating: float
    sigma: float
    waited: float
    """Seconds since it was last paired."""
    open: int = 0
    """How many of its matches are queued or being played."""
    seats_had: Sequence[int] = field(default=())


def urgency(candidate: Candidate) -> float:
    """How soon to pair a bot: the least certain and those who waited longest come first, if not playing."""
    return candidate.sigma / SIGMA + candidate.waited / WAIT_SECONDS - candidate.open


def make_tables(
    candidates: Sequence[Candidate], seats: int, count: int, random: Random
) -> list[tuple[Candidate, ...]]:
    """Choose up to `count` tables of opponents in the order of their seats.

    A bot sits at several tables only when everybody who can be paired already has one.
    """
    tables: list[tuple[Candidate, ...]] = []
    busy: Counter[int] = Counter()
    had = {one.bot: list(one.seats_had) + [0] * (seats - len(one.seats_had)) for one in candidates}
    for _ in range(count):
        table = choose_table(candidates, busy, seats, random)
        if table is None:
            break
        seated = rotate_seats(table, had, random)
        for seat, one in enumerate(seated):
            busy[one.bot] += 1
            had[one.bot][seat] += 1
        tables.append(seated)
    return tables


def choose_table(
    candidates: Sequence[Candidate], busy: Counter[int], seats: int, random: Random
) -> list[Candidate] | None:
    """Choose the most urgent bot for which there are opponents, and opponents close to it."""
    ties = {one.bot: random.random() for one in candidates}
    ordered = sorted(candidates, key=lambda one: (urgency(one) - busy[one.bot], ties[one.bot]), reverse=True)
    for head in ordered:
        table = [head]
        while len(table) < seats:
            owners = {one.owner for one in table}
            others = [one for one in candidates if one.owner not in owners]
            if not others:
                break
            weights = [weight(head, one, busy[one.bot]) for one in others]
            table += random.choices(others, weights)
        if len(table) == seats:
            return table
    return None


def weight(head: Candidate, other: Candidate, busy: int) -> float:
    """Return the weight of an opponent: close in rating, and preferably not playing already."""
    near = max(math.pow(3.0, -abs(head.rating - other.rating) / REACH), FAR)
    return near / (1 + busy + other.open)


def rotate_seats(
    table: Sequence[Candidate], had: dict[int, list[int]], random: Random
) -> tuple[Candidate, ...]:
    """Choose the seating whose seats the bots have had least often."""
    seatings = list(permutations(table))
    random.shuffle(seatings)
    return min(seatings, key=lambda order: sum(had[one.bot][seat] ** 2 for seat, one in enumerate(order)))
