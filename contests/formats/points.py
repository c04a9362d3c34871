"""Points, in twelfths of a win, so that every shared place is a whole number.

The first of a pod gets 12, the last 0, and the others evenly between: 12 0; 12 6 0; 12 8 4 0.
A series counts as one result: the points of its games are added, and the sums decide the places.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from contests.formats.entities import Entrant, Game, Pod

WIN: Final = 12


_POINTS: Final = {1: (WIN,), 2: (WIN, 0), 3: (WIN, WIN // 2, 0), 4: (WIN, 8, 4, 0)}


def game_points(game: Game) -> dict[int, int]:
    """Return the points of one game by entrant."""
    worth = _POINTS[len(game)]
    return {one: worth[place - 1] for one, place in game.items()}


def as_it_counts(pod: Pod, game: Game, by_id: Mapping[int, Entrant]) -> Game:
    """Return the places of a game, with entrants who are out in its round moved behind all others.

    They may be missing from the game, with a house bot in their seat.
    """
    if not any(by_id[one].is_out(pod.round) for one in pod.entrants):
        return game
    last = len(pod.entrants)
    order = sorted(
        pod.entrants, key=lambda one: (by_id[one].is_out(pod.round), game.get(one, last), by_id[one].seed)
    )
    return {one: place for place, one in enumerate(order, 1)}


def series_score(games: Sequence[Game]) -> dict[int, int]:
    """Return the points of all games of a series together, by entrant: what people call its score, 2-1."""
    total: dict[int, int] = {}
    for game in games:
        for one, points in game_points(game).items():
            total[one] = total.get(one, 0) + points
    return total


def series_points(games: Sequence[Game]) -> dict[int, int]:
    """Return the points of a series by entrant: placed by the sum of its games' points; ties share."""
    if len(games) == 1:
        return game_points(games[0])
    total = series_score(games)
    worth = _POINTS[len(total)]
    shared: dict[int, int] = {}
    ranked = sorted(total, key=lambda one: -total[one])
    while len(shared) < len(ranked):
        place = len(shared)
        equals = [one for one in ranked if total[one] == total[ranked[place]]]
        each = sum(worth[place : place + len(equals)]) // len(equals)
        shared.update(dict.fromkeys(equals, each))
    return shared


def series_order(pod: Pod, games: Sequence[Game], by_id: Callable[[int], Entrant]) -> list[int]:
    """Return the order in a pod, best first and without ties: by points, wins, the last game, the seed."""
    points = series_points(games)
    last = games[-1]

    def key(one: int) -> tuple[int, int, int, int]:
        wins = sum(game[one] == 1 for game in games)
        return (-points[one], -wins, last[one], by_id(one).seed)

    return sorted(pod.entrants, key=key)


def is_decided(games: Sequence[Game], best_of: int) -> bool:
    """Return whether a series is decided: all games are played, or one of two entrants cannot be caught."""
    if len(games) >= best_of:
        return True
    if not games or len(games[0]) > 2:
        return False
    wins = [sum(game[one] == 1 for game in games) for one in games[0]]
    return max(wins) * 2 > best_of
