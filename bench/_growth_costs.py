"""What a piece of work asks of the database: rows read and buffers touched, beside its time."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import connection, transaction

COUNTERS = """
    select relname, pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid),
        pg_stat_get_xact_blocks_fetched(oid)
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')
"""
"""What this transaction has read of each table and index, as PostgreSQL itself counts it."""

LONG_MS = 2000
"""What takes so long is done once."""


REFERENCE = "select count(*) from generate_series(1, 20000) i where i % 7 = 3"
REFERENCE_LOOPS = 30_000


@dataclass
class Cost:
    ms: float = 0.0
    ratio: float = 0.0
    """How many times as long as the reference, measured before and after it: other work slows both."""
    rows: int = 0
    buffers: int = 0
    by_relation: dict[str, int] = field(default_factory=dict)
    """Rows and buffers together, of each table and index."""

    @property
    def read(self) -> int:
        return self.rows + self.buffers


def measure(work: Callable[[], object], turns: int = 1) -> Cost:
    """Do a piece of work, of which nothing is kept; return its best time, and what its first turn read."""
    cost = Cost(ms=float("inf"), ratio=float("inf"))
    for turn in range(turns):
        with transaction.atomic():
            reference = reference_ms()
            before = counters()
            began = time.perf_counter()
            work()
            ms = (time.perf_counter() - began) * 1000
            if turn == 0:
                add(cost, before, counters())
            reference = (reference + reference_ms()) / 2
            cost.ms, cost.ratio = min(cost.ms, ms), min(cost.ratio, ms / reference)
            transaction.set_rollback(True)
        if cost.ms > LONG_MS:
            break
    return cost


def reference_ms() -> float:
    """Do a fixed piece of work, half of it in the database and half in Python; return how long it took."""
    began = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute(REFERENCE)
    sum(number * number for number in range(REFERENCE_LOOPS))
    return (time.perf_counter() - began) * 1000


def counters() -> dict[str, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(COUNTERS)
        return {name: (rows, buffers) for name, rows, buffers in cursor.fetchall()}


def add(cost: Cost, before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> None:
    for name, (rows, buffers) in after.items():
        earlier_rows, earlier_buffers = before.get(name, (0, 0))
        cost.rows += rows - earlier_rows
        cost.buffers += buffers - earlier_buffers
        if total := rows - earlier_rows + buffers - earlier_buffers:
            cost.by_relation[name] = total


def grown(small: Cost, large: Cost) -> str:
    """Return the table or index of which most more is read at the larger size, with both numbers."""
    name = max(large.by_relation, key=lambda one: large.by_relation[one] - small.by_relation.get(one, 0))
    return f"{name}: {small.by_relation.get(name, 0):,} -> {large.by_relation[name]:,}"
