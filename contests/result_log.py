"""A log of results as columns of numbers, checked line by line before anything is computed from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contests.rating import Place

MOST_SEATS: Final = 4

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class ResultLogError(ValueError):
    """A line of the log cannot be; the message begins with its number."""

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
    """Results of one number of seats, one per row; `fixed` is NaN where a bot is no fixed point."""

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
    by_seats: dict[int, list[Line]] = {}
    for line in counted(lines):
        if not 2 <= len(line.places) <= MOST_SEATS:
            raise ResultLogError(
                line.number, f"a result has 2 to {MOST_SEATS} bots, this one has {len(line.places)}."
            )
        by_seats.setdefault(len(line.places), []).append(line)
    return [table_of(by_seats[seats]) for seats in sorted(by_seats)]


def table_of(lines: Sequence[Line]) -> Table:
    for line in lines:
        if not all(type(place.bot) is type(place.place) is int for place in line.places):
            raise ResultLogError(line.number, "bots and places are whole numbers.")
        if not all(place.fixed is None or isfinite(place.fixed) for place in line.places):
            raise ResultLogError(line.number, "a fixed rating is a finite number.")
    nan = float("nan")
    return checked(
        Table(
            np.array([line.number for line in lines], np.int64),
            np.array([[place.bot for place in line.places] for line in lines], np.int64),
            np.array([[place.place for place in line.places] for line in lines], np.int64),
            np.array(
                [[nan if place.fixed is None else place.fixed for place in line.places] for line in lines],
                np.float64,
            ),
        )
    )


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
