"""Fit the values by which luck is measured to games of house bots, and print them for `luck_values.py`.

Least squares: the values that leave the least variance in results minus luck. They are rounded, and any values
would be fair; `make bench ONLY=luck` measures them on other games.
"""

import sys
from math import exp
from pprint import pprint

import numpy as np

from bench._house_games import house_games
from engine.cards import KINDS
from engine.position import LAST_AGE
from engine.replay.luck import TableValues, luck_of

PULL = 20.0
"""Ridge: as if so many games had said that nothing is worth anything."""


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    pprint({seats: fit(seats, games) for seats in (2, 3, 4)}, width=110, sort_dicts=False)


def unit_tables(seats: int) -> list[dict[str, object]]:
    """Return tables of values of which one number is 1 and the others 0: luck is linear in the numbers."""
    found = []
    for number in range(seats + 2 * KINDS + 2):
        flat = [0.0] * (seats + 2 * KINDS + 2)
        flat[number] = 1.0
        found.append(as_table(flat, seats))
    return found


def as_table(flat: list[float], seats: int) -> dict[str, object]:
    """A card's worth is a straight line over the ages: more numbers would need many more games to fit."""
    middle, slope = flat[seats : seats + KINDS], flat[seats + KINDS : seats + 2 * KINDS]
    cards = (
        tuple(round(one + (age - 3) * more, 4) for one, more in zip(middle, slope, strict=True))
        for age in range(1, LAST_AGE + 1)
    )
    return {
        "order": tuple(flat[:seats]),
        "cards": tuple(cards),
        "next_offering": flat[-2],
        "blessed": flat[-1],
    }


def fit(seats: int, games: int) -> dict[str, object]:
    units = [TableValues(**one) for one in unit_tables(seats)]  # type: ignore[arg-type]
    rows, results = [], []
    for result, table, chances in house_games("fit", games, seats):
        lucks = [luck_of(chances, unit) for unit in units]
        rows += [[luck[seat] for luck in lucks] for seat in range(seats)]
        results += [one - expected(table, seat) for seat, one in enumerate(result)]
    matrix, wanted = np.array(rows), np.array(results)
    pull = PULL * matrix.var(axis=0).max() * np.eye(len(units))
    found = np.linalg.solve(matrix.T @ matrix + pull, matrix.T @ wanted)
    return as_table([round(float(one), 4) for one in found], seats)


def expected(table: list[str], seat: int) -> float:
    """Return a rough mean result of a bot at this table, so that the fit sees less of who is stronger."""
    strength = {"random": 0.0, "greedy": 2.0, "settler": 2.5}
    others = [strength[one] for place, one in enumerate(table) if place != seat]
    return sum(1 / (1 + exp(other - strength[table[seat]])) for other in others) / len(others)


if __name__ == "__main__":
    main()
