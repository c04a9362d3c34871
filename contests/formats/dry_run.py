"""Simulates an event before it is published: how many games it takes, and whether the best bot would win.

Each simulated event draws every game from the entrants' ratings: a performance is the rating plus noise, and
the best performance wins. With two seats, this noise gives the winning chances of the Elo scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from random import Random

from contests.formats import FORMATS
from contests.formats.entities import Entrant, Game, Options, PlayedRound, Pod, TournamentProgress
from contests.formats.points import is_decided
from contests.formats.ranking import ranking

_SCALE = 400 / log(10)
"""The difference of two Gumbel variables of this scale is the logistic curve of Elo."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Results over the simulated events: number of games and rounds, and how often the strongest won."""

    games_least: int
    games_mean: float
    games_most: int
    rounds: int
    best_wins: float
    margin: float


def forecast(
    format_name: str,
    options: Options,
    entrants: Sequence[Entrant],
    best_of: int = 1,
    simulations: int = 100,
    seed: int = 0,
) -> Forecast:
    """Simulate the event. `margin` is half the width of the 95 % interval of `best_wins`."""
    rng = Random(seed)
    strongest = max(entrants, key=lambda one: (one.rating, -one.seed)).id
    games, rounds, wins = [], 0, 0
    for _ in range(simulations):
        played, length, winner = _simulate(format_name, options, entrants, best_of, rng)
        games.append(played)
        rounds = max(rounds, length)
        wins += winner == strongest
    share = wins / simulations
    return Forecast(
        min(games),
        sum(games) / simulations,
        max(games),
        rounds,
        share,
        1.96 * sqrt(share * (1 - share) / simulations),
    )


def _simulate(
    format_name: str, options: Options, entrants: Sequence[Entrant], best_of: int, rng: Random
) -> tuple[int, int, int]:
    ratings = {one.id: one.rating for one in entrants}
    event = TournamentProgress(options, tuple(entrants))
    count = 0
    while found := FORMATS[format_name](event):
        games = {pod.key: _play_series(pod, ratings, best_of, rng) for pod in found.pods}
        count += sum(map(len, games.values()))
        event = replace(event, played=(*event.played, PlayedRound(found, games)))
    return count, len(event.played), ranking(format_name, event)[0]


def _play_series(pod: Pod, ratings: dict[int, float], best_of: int, rng: Random) -> list[Game]:
    games: list[Game] = []
    while not is_decided(games, best_of):
        games.append(_play(pod, ratings, rng))
    return games


def _play(pod: Pod, ratings: dict[int, float], rng: Random) -> dict[int, int]:
    performance = {one: ratings[one] - _SCALE * log(rng.expovariate(1.0)) for one in pod.entrants}
    ranked = sorted(pod.entrants, key=lambda one: -performance[one])
    return {one: place for place, one in enumerate(ranked, 1)}
