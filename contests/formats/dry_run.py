"""Simulates an event before it is published: how many games it takes, and whether the best bot would win.

Each simulated event first draws how strong each entrant really is, from what is known of its strength, and
then every game from that: a performance is the strength plus noise, and the best performance wins. With two
seats, this noise gives the winning chances of the Elo scale; with more it is the Plackett-Luce model of
`contests.strength`. The best bot is the strongest one of the draw, so what is not known of the strengths is
part of the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from random import Random

from contests.formats import FORMATS
from contests.formats.entities import Entrant, Game, Options, PlayedRound, Pod, TournamentProgress
from contests.formats.points import is_decided
from contests.formats.ranking import ranking

_SCALE = 400 / log(10)
"""The difference of two Gumbel variables of this scale is the logistic curve of Elo."""
SERIES = (1, 3, 5, 7, 9, 13, 19, 27, 39, 55, 79, 111)
"""Lengths of series that are tried, each about 1.4 times the one before."""


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
    strengths: Mapping[int, tuple[float, float]] | None = None,
) -> Forecast:
    """Simulate the event. `margin` is half the width of the 95 % interval of `best_wins`.

    `strengths` has the mean and deviation of each entrant's strength; without it, ratings are taken as known.
    """
    rng = Random(seed)
    games, rounds, wins = [], 0, 0
    for _ in range(simulations):
        drawn = _draw_strengths(entrants, strengths or {}, rng)
        strongest = max(entrants, key=lambda one: (drawn[one.id], -one.seed)).id
        played, length, winner = _simulate(format_name, options, entrants, best_of, drawn, rng)
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


@dataclass(frozen=True, slots=True)
class Need:
    """The shortest series with which the best bot wins with a wanted certainty."""

    certainty: float
    best_of: int | None
    """None where even the longest series that was tried is too short."""
    games: float
    """The mean number of games with it, or with the longest that was tried."""


def games_needed(
    format_name: str,
    options: Options,
    entrants: Sequence[Entrant],
    strengths: Mapping[int, tuple[float, float]],
    certainties: Sequence[float],
    most_games: int,
    simulated_games: int,
) -> list[Need]:
    """Try longer and longer series until the best bot wins often enough, or an event has too many games.

    For each length about `simulated_games` are simulated, in at most 200 events.
    """
    missing, found = sorted(certainties), []
    games = 0.0
    for best_of in SERIES:
        if not missing or games * 2 > most_games:
            break
        simulations = max(20, min(200, int(simulated_games / max(1.5 * games, 1))))
        tried = forecast(format_name, options, entrants, best_of, simulations, best_of, strengths)
        games = tried.games_mean
        while missing and tried.best_wins >= missing[0]:
            found.append(Need(missing.pop(0), best_of, games))
    return found + [Need(certainty, None, games) for certainty in missing]


def _draw_strengths(
    entrants: Sequence[Entrant], strengths: Mapping[int, tuple[float, float]], rng: Random
) -> dict[int, float]:
    known = {one.id: strengths.get(one.id, (one.rating, 0.0)) for one in entrants}
    return {entrant: rng.gauss(mean, sigma) if sigma else mean for entrant, (mean, sigma) in known.items()}


def _simulate(
    format_name: str,
    options: Options,
    entrants: Sequence[Entrant],
    best_of: int,
    ratings: dict[int, float],
    rng: Random,
) -> tuple[int, int, int]:
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
