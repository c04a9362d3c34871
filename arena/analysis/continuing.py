"""Games played on by bots from some position, in worlds that one seat could not tell apart.

Everything is played in the kernel, all games at once. A pure function of the record, the position, the bots
and a seed, so whoever has these can compute it again.
"""

from array import array
from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Any, Final

import numpy as np

from arena.analysis.evaluation import foretold, leads
from arena.analysis.knowledge import dice_for, sample_worlds
from arena.analysis.positions import position_after
from engine.kernel import Batch, determinize
from engine.observation import observe

QUICK, RANDOM, WARLORD, LEARNED = "quick", "random", "warlord", "learned"
BOTS: Final = (QUICK, RANDOM, WARLORD, LEARNED)
"""`quick` grows next to its land, fights where it can and plays what scores: the kernel's own quick player,
which plays for all seats or for none.
`warlord` and `learned` judge what each of their actions leads to, in a world that they cannot tell from the
real one: they know what their seat knows."""
MOST: Final = 200
CERTAINTY: Final = 1.96
"""Standard errors to either side of an interval that holds the true value 95 times in 100."""
SKIP: Final = -1


def is_instant(bots: Sequence[str]) -> bool:
    """Return whether these bots play hundreds of games within a second or two."""
    return len(set(bots)) == 1 and bots[0] in (QUICK, RANDOM)


def play_on(
    stored: bytes, number: int, actions: Sequence[int], seat: int, bots: Sequence[str], count: int, seed: str
) -> dict[str, Any]:
    """Play `count` games on from a position, and return how they ended."""
    state = position_after(stored, number, actions)
    dice = dice_for(seed, "continue")
    games = sample_worlds(state, seat, count, dice)
    if is_instant(bots) and bots[0] == QUICK:
        while max(games.to_act()) >= 0:
            games.end_age(dice.getrandbits(32))
    else:
        _play(games, bots, dice)
    places = np.array([games.placements(game) for game in range(count)])
    scores = np.array([games.scores(game) for game in range(count)])
    return {"seats": [summary(places[:, one], scores[:, one], state.seats) for one in range(state.seats)]}


def _play(games: Batch, bots: Sequence[str], dice: Random) -> None:
    while max(actors := games.to_act()) >= 0:
        chosen = array("q", [SKIP] * games.size)
        for kind in set(bots):
            mine = [game for game, actor in enumerate(actors) if actor >= 0 and bots[actor] == kind]
            if mine:
                for game, action in zip(mine, choose_actions(games, mine, actors, kind, dice), strict=True):
                    chosen[game] = action
        games.step(chosen)


def choose_actions(games: Batch, mine: list[int], actors: list[int], kind: str, dice: Random) -> list[int]:
    """Return an action for each of these games."""
    legal = [games.legal_actions(game) for game in mine]
    if kind == RANDOM:
        return [dice.choice(one) for one in legal]
    seen = _imagine(games, mine, actors, dice)
    after = seen.take([at for at, one in enumerate(legal) for _ in one])
    after.step([action for one in legal for action in one])
    seats = np.array([actors[game] for game, one in zip(mine, legal, strict=True) for _ in one])
    worths = leads(after) if kind == WARLORD else foretold(after)
    worth = worths[np.arange(after.size), seats]
    found, at = [], 0
    for one in legal:
        found.append(one[int(worth[at : at + len(one)].argmax())])
        at += len(one)
    return found


def _imagine(games: Batch, mine: list[int], actors: list[int], dice: Random) -> Batch:
    """Return a world for each of these games that its acting seat cannot tell from it.

    Bots decide there, as they would not know the hidden cards of the game itself.
    """
    states = [games.state(game) for game in mine]
    seen = [observe(state, actors[game]) for game, state in zip(mine, states, strict=True)]
    return determinize(seen, [dice.getrandbits(64) for _ in mine], states[0].board, states[0].rules)


def summary(places: Any, scores: Any, seats: int) -> dict[str, Any]:
    """Return how a seat fared: places, mean place, share of wins with its Wilson interval, scores."""
    count = len(places)
    by_place = [int((places == place).sum()) for place in range(1, seats + 1)]
    error = CERTAINTY * float(places.std(ddof=1)) / sqrt(count) if count > 1 else 0.0
    low, high = wilson(by_place[0], count)
    return {
        "places": by_place,
        "place": round(float(places.mean()), 3),
        "place_error": round(error, 3),
        "wins": round(by_place[0] / count, 4),
        "wins_low": round(low, 4),
        "wins_high": round(high, 4),
        "scores": [int(one) for one in np.quantile(scores, [0.05, 0.25, 0.5, 0.75, 0.95])],
        "score": round(float(scores.mean()), 2),
    }


def wilson(wins: int, count: int) -> tuple[float, float]:
    """Return the Wilson interval of a share."""
    z, share = CERTAINTY, wins / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)
