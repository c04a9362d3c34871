"""Seasons of which the truth is known: bots with strengths, matches made as a ladder makes them, results."""

import math
from collections.abc import Callable
from random import Random

import numpy as np

from contests.posterior import UNIT
from contests.rating import elo
from contests.result_log import Table

SPREAD = 250.0
"""The deviation of true strengths, about that of rating lists of chess programs."""

SEAT_LUCK = 60.0
"""Elo points: the deviation of what a seed gives a seat."""

Strength = Callable[[int, int, float], float]
"""The strength of a bot (its number, who is its first opponent, which part of the season is over)."""


def nearness(distance: float) -> float:
    """How likely an opponent of this distance in Elo was drawn before matches were chosen by information."""
    return max(math.pow(3.0, -abs(distance) / 150.0), 0.05)


def draw_strengths(bots: int, random: Random, spread: float = SPREAD) -> list[float]:
    """Draw strengths whose mean is 1500, which is how the scale is defined without fixed points."""
    drawn = [random.gauss(0.0, spread) for _ in range(bots)]
    return [1500.0 + one - sum(drawn) / bots for one in drawn]


def place(form: list[float]) -> list[int]:
    return [1 + sum(other > own for other in form) for own in form]


def gumbel(random: Random) -> float:
    """A bot's form in one game; with it, places follow the Plackett-Luce model."""
    return -UNIT * math.log(random.expovariate(1.0))


Play = Callable[[list[float], Random], list[int]]
"""Plays one result between bots of these strengths and returns their places."""


def play_game(strengths: list[float], random: Random) -> list[int]:
    return place([one + gumbel(random) for one in strengths])


def play_duplicates(strengths: list[float], random: Random) -> list[int]:
    """Play one seed over all rotations of the seats; what the seed gives a seat, each bot gets once."""
    seats = len(strengths)
    luck = [random.gauss(0.0, SEAT_LUCK) for _ in range(seats)]
    sums = [0] * seats
    for rotation in range(seats):
        form = [one + luck[(seat + rotation) % seats] for seat, one in enumerate(strengths)]
        sums = [total + own for total, own in zip(sums, play_game(form, random), strict=True)]
    return place([-float(total) for total in sums])


def play_season(
    bots: int, seats: int, games: int, random: Random, strength: Strength, play: Play = play_game
) -> Table:
    """Play so many results per bot; opponents are drawn by their Elo, as ladders do."""
    count = bots * games // seats
    ratings, played = [1500.0] * bots, [0] * bots
    tables, places = [], []
    for number in range(count):
        head = number % bots
        weights = [nearness(other - ratings[head]) for other in ratings]
        table = [head]
        while len(table) < seats:
            [other] = random.choices(range(bots), weights)
            if other not in table:
                table.append(other)
        over = number / count
        result = play([strength(bot, table[1 if bot == table[0] else 0], over) for bot in table], random)
        after = elo([ratings[bot] for bot in table], [played[bot] for bot in table], result)
        for bot, rating in zip(table, after, strict=True):
            ratings[bot] = rating
            played[bot] += 1
        tables.append(table)
        places.append(result)
    shape = (count, seats)
    return Table(np.arange(1, count + 1), np.array(tables), np.array(places), np.full(shape, np.nan))
