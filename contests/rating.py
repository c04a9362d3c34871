"""Ratings as a pure function of results: Elo for n seats. How strong bots are is estimated in `strength`."""

import math
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple

START: Final = 1500.0
INTERVAL: Final = 1.959964
"""How many deviations to each side contain 95% of a normal distribution."""


class Rated(NamedTuple):
    """What is known about one bot after some results."""

    rating: float = START
    games: int = 0
    wins: int = 0


NEW: Final = Rated()


class Place(NamedTuple):
    """How one bot did: 1 is best, equal places are a draw. A fixed bot's rating never moves."""

    bot: int
    place: int
    fixed: float | None = None


def k_factor(games: int) -> float:
    """Return how far one game may move a rating: far while little is known, less later."""
    if games < 20:
        return 40.0
    return 24.0 if games < 100 else 12.0


def expected(rating: float, other: float) -> float:
    """Return the score from 0 to 1 that Elo expects against another rating."""
    return 1.0 / (1.0 + math.pow(10.0, (other - rating) / 400.0))


def elo(ratings: Sequence[float], games: Sequence[int], places: Sequence[int]) -> list[float]:
    """Return the new ratings after one game of n seats; each pair of seats counts as a two-player game.

    The K of a seat is shared over its pairs, so a game moves no rating further than a game of two does.
    """
    points: list[list[float]] = [[] for _ in ratings]
    seats = list(zip(ratings, places, points, strict=True))
    for number, (rating, place, gained) in enumerate(seats, 1):
        for other, other_place, other_gained in seats[number:]:
            surprise = score(place, other_place) - expected(rating, other)
            gained.append(surprise)
            other_gained.append(-surprise)
    pairs = len(ratings) - 1
    return [
        rating + k_factor(played) * fsum(gained) / pairs
        for rating, played, gained in zip(ratings, games, points, strict=True)
    ]


def score(place: int, other: int) -> float:
    if place == other:
        return 0.5
    return 1.0 if place < other else 0.0


def rate(before: Mapping[int, Rated], places: Sequence[Place]) -> dict[int, Rated]:
    """Return the ratings of a result's bots after it. Bots that are not in `before` are new."""
    old = [start_of(before.get(bot, NEW), fixed) for bot, _, fixed in places]
    ratings = elo([one.rating for one in old], [one.games for one in old], [place for _, place, _ in places])
    return {
        bot: Rated(rating if fixed is None else one.rating, one.games + 1, one.wins + (place == 1))
        for (bot, place, fixed), one, rating in zip(places, old, ratings, strict=True)
    }


def start_of(known: Rated, fixed: float | None) -> Rated:
    """Return what a bot goes into a game with; a fixed point's rating is known."""
    return known if fixed is None else known._replace(rating=fixed)


def fold(results: Iterable[Sequence[Place]]) -> dict[int, Rated]:
    """Rate a whole log from scratch, in its order."""
    known: dict[int, Rated] = {}
    for places in results:
        known |= rate(known, places)
    return known


def joint_places(games: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Return the places of a duplicate set, by the sum of each bot's placements; equal sums are a draw."""
    sums = {bot: sum(game[bot] for game in games) for bot in games[0]}
    return {bot: 1 + sum(other < total for other in sums.values()) for bot, total in sums.items()}
