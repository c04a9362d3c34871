"""A log of results as columns of numbers, checked line by line before anything is computed from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contests.rating import Place

MOST_SEATS: Final = 4

BOTS_PER_RESULT: Final = f"a result has 2 to {MOST_SEATS} bots, this one has {{}}."

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class ResultLogError(ValueError):
    """A line of the log is impossible; the message begins with the line's number."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}: {why}")
        self.number = number


@dataclass(frozen=True, slots=True)
class Line:
    """One line: how the bots of one result were placed, or which earlier line no longer counts."""

    number: int
    places: Sequence[Place] = ()
    voids: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Results of one number of seats, one per row; `fixed` is NaN where a bot is not a fixed point."""

    numbers: Integers
    bots: Integers
    places: Integers
    fixed: Floats


def counted(lines: Iterable[Line]) -> list[Line]:
    """Return the results that count, in the order of their numbers.

    A line that is there twice, word for word, counts once.
    """
    known: dict[int, Line] = {}
    for line in lines:
        if known.setdefault(line.number, line) != line:
            raise ResultLogError(line.number, "there is another line of this number that says otherwise.")
    void: set[int] = set()
    for line in known.values():
        if line.voids is None:
            continue
        if line.voids not in known or known[line.voids].voids is not None or line.voids >= line.number:
            raise ResultLogError(line.number, f"it voids line {line.voids}, which is no earlier result.")
        if line.voids in void:
            raise ResultLogError(line.number, f"line {line.voids} is void already.")
        void.add(line.voids)
    return [line for number, line in sorted(known.items()) if line.voids is None and number not in void]


def tables_of(lines: Iterable[Line]) -> list[Table]:
    """Return the results that count as one table per number of seats."""
    numbers, bots, places, ratings = [], [], [], []
    for line in counted(lines):
        if len(line.places) < 2:
            raise ResultLogError(line.number, BOTS_PER_RESULT.format(len(line.places)))
        for place in line.places:
            if not type(place.bot) is type(place.place) is int:
                raise ResultLogError(line.number, "bots and places are whole numbers.")
            if place.fixed is not None and not isfinite(place.fixed):
                raise ResultLogError(line.number, "a fixed rating is a finite number.")
            numbers.append(line.number)
            bots.append(place.bot)
            places.append(place.place)
            ratings.append(place.fixed)
    return tables_of_columns(numbers, bots, places, ratings)


def tables_of_columns(
    numbers: Sequence[int], bots: Sequence[int], places: Sequence[int], ratings: Sequence[float | None]
) -> list[Table]:
    """Return tables from columns with one row per bot and result, in the order of the results' numbers."""
    results, first, sizes = np.unique(np.array(numbers, np.int64), return_index=True, return_counts=True)
    wrong = (sizes < 2) | (sizes > MOST_SEATS)
    if wrong.any():
        which = int(np.argmax(wrong))
        raise ResultLogError(int(results[which]), BOTS_PER_RESULT.format(int(sizes[which])))
    of_bots, of_places = np.array(bots, np.int64), np.array(places, np.int64)
    of_ratings = np.array(ratings, np.float64)  # None becomes NaN
    found = []
    for seats in np.unique(sizes).tolist():
        rows = first[sizes == seats][:, None] + np.arange(seats)
        table = Table(results[sizes == seats], of_bots[rows], of_places[rows], of_ratings[rows])
        found.append(checked(table))
    return found


def checked(table: Table) -> Table:
    """Refuse a bot that sits twice in one result, and places that no ranking gives."""
    order = np.sort(table.bots, axis=1)
    refuse(table, (order[:, 1:] == order[:, :-1]).any(axis=1), "a bot is in it twice.")
    better = (table.places[:, None, :] < table.places[:, :, None]).sum(axis=2)
    refuse(
        table,
        (table.places != better + 1).any(axis=1),
        "these places are no ranking: a bot's place is one more than the number of bots before it.",
    )
    refuse(table, np.asarray(np.isinf(table.fixed).any(axis=1)), "a fixed rating is a finite number.")
    return table


def refuse(table: Table, wrong: NDArray[np.bool_], why: str) -> None:
    if wrong.any():
        raise ResultLogError(int(table.numbers[wrong].min()), why)
