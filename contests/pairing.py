"""Who plays whom next on a ladder, as pure functions of plain values."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Final

FAR: Final = 0.005
"""The least weight of an opponent, however distant, so that any two bots meet occasionally."""
WAIT_SECONDS: Final = 600.0
"""Waiting for this long makes a bot more urgent by 1."""
DOUBT: Final = 3.0
"""How urgent an average bot is because its place is uncertain."""
NEIGHBOURS: Final = 30
"""How many bots on each side decide how uncertain a bot's place is; bots farther away hardly matter."""
LOG_10: Final = math.log(10)
SHARPNESS: Final = 3
"""Opponents are drawn in proportion to this power of the information that a game with them would give."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that may be paired. Bots that one person may change never meet; a house bot is nobody's."""

    bot: int
    people: frozenset[int]
    """Who may change it: its owner, or the members of the team that owns it."""
    rating: float
    """Its estimated strength, in Elo points."""
    sigma: float
    """How uncertain that would be if all others' strengths were known: near bots share the rest."""
    waited: float
    """Seconds since it was last paired."""
    open: int = 0
    """How many of its matches are queued or being played."""
    seats_had: Sequence[int] = field(default=())


def doubts(candidates: Sequence[Candidate]) -> dict[int, float]:
    """Return how much there is to learn about each bot's place among these; the mean is `DOUBT`."""
    found = {one.bot: 0.0 for one in candidates}
    ordered = sorted(candidates, key=lambda one: (one.rating, one.bot))
    for place, one in enumerate(ordered):
        rating, sigma = one.rating, one.sigma
        for other in ordered[place + 1 : place + 1 + NEIGHBOURS]:
            told = told_by_game(rating - other.rating, sigma, other.sigma)
            found[one.bot] += told
            found[other.bot] += told
    squares = {bot: told * told for bot, told in found.items()}
    mean = sum(squares.values()) / max(len(squares), 1)
    return {bot: DOUBT * square / mean if mean else DOUBT for bot, square in squares.items()}


def urgency(candidate: Candidate, doubt: float) -> float:
    """Return how urgent it is to pair a bot: its place is uncertain, or it has waited long."""
    return doubt + candidate.waited / WAIT_SECONDS - candidate.open


def information(one: Candidate, other: Candidate) -> float:
    """Return about how much a game tells about which of the two is stronger (up to a constant factor)."""
    return told_by_game(one.rating - other.rating, one.sigma, other.sigma)


def told_by_game(difference: float, sigma: float, other_sigma: float) -> float:
    """Return the same for two bots whose strengths differ so much, and are so uncertain.

    That is the chance that the two are about equal, times how uncertain the difference is, times the
    variance of the result: much where the order is open, next to nothing where everybody knows who wins.
    """
    spread = max(math.hypot(sigma, other_sigma), 1.0)
    is_open = math.exp(-((difference / spread) ** 2) / 2.0)
    return spread * is_open / math.cosh(difference * LOG_10 / 800.0) ** 2


def make_tables(
    candidates: Sequence[Candidate], seats: int, count: int, random: Random
) -> list[tuple[Candidate, ...]]:
    """Choose up to `count` tables of opponents in the order of their seats.

    A bot sits at several tables only when everybody who can be paired already has one.
    """
    tables: list[tuple[Candidate, ...]] = []
    busy: Counter[int] = Counter()
    had = {one.bot: list(one.seats_had) + [0] * (seats - len(one.seats_had)) for one in candidates}
    known = doubts(candidates)
    for _ in range(count):
        table = choose_table(candidates, known, busy, seats, random)
        if table is None:
            break
        seated = rotate_seats(table, had, random)
        for seat, one in enumerate(seated):
            busy[one.bot] += 1
            had[one.bot][seat] += 1
        tables.append(seated)
    return tables


def choose_table(
    candidates: Sequence[Candidate],
    known: Mapping[int, float],
    busy: Counter[int],
    seats: int,
    random: Random,
) -> list[Candidate] | None:
    """Choose the most urgent bot that can be paired, and opponents that tell much about its place."""
    ties = {one.bot: random.random() for one in candidates}
    ordered = sorted(
        candidates,
        key=lambda one: (urgency(one, known[one.bot]) - busy[one.bot], ties[one.bot]),
        reverse=True,
    )
    for head in ordered:
        table = [head]
        told = {one.bot: information(head, one) ** SHARPNESS for one in candidates if one.bot != head.bot}
        least = FAR * max(told.values(), default=0.0) or 1.0
        while len(table) < seats:
            taken = {one.bot for one in table}
            people = frozenset[int]().union(*(one.people for one in table))
            others = [one for one in candidates if one.bot not in taken and people.isdisjoint(one.people)]
            if not others:
                break
            weights = [max(told[one.bot], least) / (1 + busy[one.bot] + one.open) for one in others]
            table += random.choices(others, weights)
        if len(table) == seats:
            return table
    return None


def rotate_seats(
    table: Sequence[Candidate], had: dict[int, list[int]], random: Random
) -> tuple[Candidate, ...]:
    """Choose the seating whose seats the bots have had least often."""
    seatings = list(permutations(table))
    random.shuffle(seatings)
    return min(seatings, key=lambda order: sum(had[one.bot][seat] ** 2 for seat, one in enumerate(order)))
