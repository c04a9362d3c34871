"""The Plackett-Luce posterior of a log: its gradient and curvature, in a fixed order of additions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from contests.rating import START
from contests.result_log import Floats, Integers, Table

UNIT: Final = 400 / log(10)
"""Elo points per natural unit, in which e to the difference is the odds."""

Nodes = NDArray[np.int32]


class Ranking:
    """Results of n seats as orders of nodes from first to last, one array per rank, all of one weight."""

    def __init__(self, nodes: Integers, weight: float) -> None:
        self.columns: list[Nodes] = [
            np.ascontiguousarray(nodes[:, rank], np.int32) for rank in range(nodes.shape[1])
        ]
        self.weight = weight


class Numbers:
    """Numbers for bots in the order in which they first appear; a fixed point has one for each rating."""

    def __init__(self) -> None:
        self.of: dict[tuple[int, float | None], int] = {}
        self.counts: Integers = np.zeros(0, np.int64)

    def add(self, table: Table) -> Integers:
        """Return the numbers of a table's bots."""
        ratings, nodes = np.where(np.isnan(table.fixed), np.inf, table.fixed), np.empty_like(table.bots)
        for rating in np.unique(ratings).tolist():
            chosen = ratings == rating
            bots, places = np.unique(table.bots[chosen], return_inverse=True)
            known = None if rating == np.inf else rating
            found = [self.of.setdefault((bot, known), len(self.of)) for bot in bots.tolist()]
            nodes[chosen] = np.array(found, np.int64)[places]
        counts = np.bincount(nodes.ravel(), minlength=len(self.of))
        counts[: len(self.counts)] += self.counts
        self.counts = counts
        return nodes


class Field:
    """The bots of a log as numbered nodes: the free ones first, then one per fixed point and rating.

    Of the log, four bytes per seat stay in memory: tables can come one after another, each from a part of it.
    """

    def __init__(self, tables: Iterable[Table], prior: float) -> None:
        numbers = Numbers()
        self.rankings = [
            ranking for table in tables for ranking in rankings_of(numbers.add(table), table.places)
        ]
        self.bots: list[int] = sorted(bot for bot, rating in numbers.of if rating is None)
        self.held = sorted((bot, rating) for bot, rating in numbers.of if rating is not None)
        self.free = len(self.bots)
        self.precision = (UNIT / prior) ** 2
        self.fixed: Floats = np.array([(rating - START) / UNIT for _, rating in self.held], np.float64)
        order = [*((bot, None) for bot in self.bots), *self.held]
        nodes: Nodes = np.empty(len(order), np.int32)
        self.results: dict[int, int] = {}
        for node, point in enumerate(order):
            nodes[numbers.of[point]] = node
            count = int(numbers.counts[numbers.of[point]])
            self.results[point[0]] = self.results.get(point[0], 0) + count
        for ranking in self.rankings:
            ranking.columns = [nodes[column] for column in ranking.columns]

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
        found.append(Ranking(every, 1.0 / len(orders)))
    return found


def exponential(values: Floats) -> Floats:
    """Return e to these powers. Libraries differ in the last bit from machine to machine; this does not."""
    halvings = np.rint(values * (1 / log(2)))
    rest = values - halvings * 0.693147180369123816490 - halvings * 1.90821492927058770002e-10
    power = np.ones_like(rest)
    for divisor in range(14, 0, -1):
        power = 1.0 + rest / divisor * power
    return np.ldexp(power, halvings.astype(np.int32))


class Terms(NamedTuple):
    """What the derivatives of some results are made of, by rank."""

    own: list[Floats]
    chances: list[Floats]
    squares: list[Floats]


def terms_of(ranking: Ranking, odds: Floats) -> Terms:
    own = [odds[nodes] for nodes in ranking.columns]
    left = suffix_sums(own)
    drawn: Floats = np.zeros(len(own[0]))
    terms = Terms(own, [], [])
    for rank, odds_of_rank in enumerate(own):
        if rank < len(own) - 1:  # the last is what remains
            share = ranking.weight / left[rank]
            drawn = drawn + share
            terms.squares.append(share / left[rank])
        terms.chances.append(odds_of_rank * drawn)
    return terms


class Curvature:
    """Gradient of the log posterior at some strengths, and its negative second derivative as a product.

    Nothing is kept by result: computing it again block by block is as fast, and takes no memory.
    """

    def __init__(self, field: Field, means: Floats) -> None:
        self.field = field
        self.odds = field.odds(means)
        gradient = Sums(len(self.odds))
        diagonal = Sums(len(self.odds))
        for ranking in field.rankings:
            own, chances, squares = terms_of(ranking, self.odds)
            twice: Floats = np.zeros(len(own[0]))
            for rank, nodes in enumerate(ranking.columns):
                is_drawn = rank < len(squares)
                if is_drawn:
                    twice = twice + squares[rank]
                gradient.add(nodes, ranking.weight * is_drawn - chances[rank])
                diagonal.add(nodes, chances[rank] - own[rank] * own[rank] * twice)
        self.gradient = gradient.total[: field.free] - field.precision * means
        self.diagonal = diagonal.total[: field.free] + field.precision

    def times(self, vector: Floats) -> Floats:
        """Multiply by the second derivative."""
        field = self.field
        every = np.concatenate([vector, np.zeros(len(field.fixed))])
        sums = Sums(len(every))
        for ranking in field.rankings:
            own, chances, squares = terms_of(ranking, self.odds)
            values = [every[nodes] for nodes in ranking.columns]
            left = suffix_sums([one * value for one, value in zip(own, values, strict=True)])
            shared: Floats = np.zeros(len(own[0]))
            for rank, nodes in enumerate(ranking.columns):
                if rank < len(squares):
                    shared = shared + squares[rank] * left[rank]
                sums.add(nodes, chances[rank] * values[rank] - own[rank] * shared)
        return sums.total[: field.free] + field.precision * vector

    def pairs(self) -> Iterator[tuple[Nodes, Nodes, Floats]]:
        """Return what ties each two nodes of a result to each other: minus the entries off the diagonal."""
        for ranking in self.field.rankings:
            own, _, squares = terms_of(ranking, self.odds)
            twice: Floats = np.zeros(len(own[0]))
            for rank, square in enumerate(squares):
                twice = twice + square
                for later in range(rank + 1, len(own)):
                    weight = own[rank] * own[later] * twice
                    yield ranking.columns[rank], ranking.columns[later], weight


class Sums:
    """Sums by node, added up in the order of the rows."""

    def __init__(self, nodes: int) -> None:
        self.total: Floats = np.zeros(nodes)

    def add(self, nodes: Nodes, values: Floats) -> None:
        self.total = self.total + np.bincount(nodes, weights=values, minlength=len(self.total))


def suffix_sums(columns: Sequence[Floats]) -> list[Floats]:
    """Return for each column the sum of it and all that follow."""
    found = [columns[-1]]
    for column in reversed(columns[:-1]):
        found.append(found[-1] + column)
    return found[::-1]
