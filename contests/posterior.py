"""The Plackett-Luce posterior of a log: its gradient and curvature, in a fixed order of additions."""

from collections.abc import Sequence
from itertools import permutations
from math import log
from typing import Final

import numpy as np

from contests.rating import START
from contests.result_log import Floats, Integers, Table

UNIT: Final = 400 / log(10)
"""Elo points per natural unit, in which e to the difference is the odds."""


class Ranking:
    """Results of n seats as orders of nodes from first to last, one array per rank, with their weights."""

    def __init__(self, nodes: Integers, weights: Floats) -> None:
        self.columns = [np.ascontiguousarray(nodes[:, rank]) for rank in range(nodes.shape[1])]
        self.weights = weights


class Field:
    """The bots of a log as numbered nodes: the free ones first, then one per fixed point and rating."""

    def __init__(self, tables: Sequence[Table], prior: float) -> None:
        bots = np.concatenate([table.bots.ravel() for table in tables])
        ratings = np.concatenate([table.fixed.ravel() for table in tables])
        is_free = np.isnan(ratings)
        free = np.unique(bots[is_free])
        self.held = sorted(set(zip(bots[~is_free].tolist(), ratings[~is_free].tolist(), strict=True)))
        self.bots: list[int] = free.tolist()
        self.free = len(free)
        self.precision = (UNIT / prior) ** 2
        self.fixed: Floats = np.array([(rating - START) / UNIT for _, rating in self.held], np.float64)
        seen, counts = np.unique(bots, return_counts=True)
        self.results: dict[int, int] = dict(zip(seen.tolist(), counts.tolist(), strict=True))
        places_of_held = {point: self.free + place for place, point in enumerate(self.held)}
        self.rankings: list[Ranking] = []
        for table in tables:
            nodes = np.searchsorted(free, table.bots)
            for row, seat in np.argwhere(~np.isnan(table.fixed)).tolist():
                nodes[row, seat] = places_of_held[int(table.bots[row, seat]), float(table.fixed[row, seat])]
            self.rankings += rankings_of(nodes, table.places)

    def odds(self, means: Floats) -> Floats:
        return exponential(np.concatenate([means, self.fixed]))


def rankings_of(nodes: Integers, places: Integers) -> list[Ranking]:
    """Return results as strict orders. One with draws becomes all orders it allows, in equal parts."""
    by_place = np.argsort(places, axis=1, kind="stable")
    nodes = np.take_along_axis(nodes, by_place, axis=1)
    places = np.take_along_axis(places, by_place, axis=1)
    found = []
    kinds = (places * 10 ** np.arange(places.shape[1])).sum(axis=1)
    for kind in np.unique(kinds).tolist():
        rows, pattern = nodes[kinds == kind], places[kinds == kind][0].tolist()
        orders = [
            list(order)
            for order in permutations(range(len(pattern)))
            if [pattern[rank] for rank in order] == pattern
        ]
        every = np.concatenate([rows[:, order] for order in orders])
        found.append(Ranking(every, np.full(len(every), 1.0 / len(orders))))
    return found


def exponential(values: Floats) -> Floats:
    """Return e to these powers. Libraries differ in the last bit from machine to machine; this does not."""
    halvings = np.rint(values * (1 / log(2)))
    rest = values - halvings * 0.693147180369123816490 - halvings * 1.90821492927058770002e-10
    power = np.ones_like(rest)
    for divisor in range(14, 0, -1):
        power = 1.0 + rest / divisor * power
    return np.ldexp(power, halvings.astype(np.int32))


class Curvature:
    """Gradient of the log posterior at some strengths, and its negative second derivative as a product."""

    def __init__(self, field: Field, means: Floats) -> None:
        self.field = field
        odds = field.odds(means)
        gradient = Sums(len(odds))
        diagonal = Sums(len(odds))
        self.terms: list[tuple[Ranking, list[Floats], list[Floats], list[Floats]]] = []
        for ranking in field.rankings:
            own = [odds[nodes] for nodes in ranking.columns]
            left = suffix_sums(own)
            drawn: Floats = np.zeros(len(ranking.weights))
            twice: Floats = np.zeros(len(ranking.weights))
            chances, squares = [], []
            for rank, nodes in enumerate(ranking.columns):
                is_drawn = rank < len(own) - 1  # the last is what remains
                if is_drawn:
                    share = ranking.weights / left[rank]
                    drawn = drawn + share
                    twice = twice + share / left[rank]
                    squares.append(share / left[rank])
                chances.append(own[rank] * drawn)
                gradient.add(nodes, ranking.weights * is_drawn - chances[rank])
                diagonal.add(nodes, chances[rank] - own[rank] * own[rank] * twice)
            self.terms.append((ranking, own, chances, squares))
        self.gradient = gradient.total[: field.free] - field.precision * means
        self.diagonal = diagonal.total[: field.free] + field.precision

    def times(self, vector: Floats) -> Floats:
        """Multiply by the second derivative."""
        field = self.field
        every = np.concatenate([vector, np.zeros(len(field.fixed))])
        sums = Sums(len(every))
        for ranking, own, chances, squares in self.terms:
            values = [every[nodes] for nodes in ranking.columns]
            left = suffix_sums([one * value for one, value in zip(own, values, strict=True)])
            shared: Floats = np.zeros(len(ranking.weights))
            for rank, nodes in enumerate(ranking.columns):
                if rank < len(squares):
                    shared = shared + squares[rank] * left[rank]
                sums.add(nodes, chances[rank] * values[rank] - own[rank] * shared)
        return sums.total[: field.free] + field.precision * vector

    def pairs(self) -> list[tuple[Integers, Integers, Floats]]:
        """Return what ties each two nodes of a result to each other: minus the entries off the diagonal."""
        found = []
        for ranking, own, _, squares in self.terms:
            twice: Floats = np.zeros(len(ranking.weights))
            for rank, square in enumerate(squares):
                twice = twice + square
                found += [
                    (ranking.columns[rank], ranking.columns[later], own[rank] * own[later] * twice)
                    for later in range(rank + 1, len(own))
                ]
        return found


class Sums:
    """Sums by node, added up in the order of the rows."""

    def __init__(self, nodes: int) -> None:
        self.total: Floats = np.zeros(nodes)

    def add(self, nodes: Integers, values: Floats) -> None:
        self.total = self.total + np.bincount(nodes, weights=values, minlength=len(self.total))


def suffix_sums(columns: Sequence[Floats]) -> list[Floats]:
    """Return for each column the sum of it and all that follow."""
    found = [columns[-1]]
    for column in reversed(columns[:-1]):
        found.append(found[-1] + column)
    return found[::-1]
