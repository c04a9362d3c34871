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


@dataclass
class Cost:
    ms: float = 0.0
    rows: int = 0
    buffers: int = 0
    by_relation: dict[str, int] = field(default_factory=dict)
    """Rows and buffers together, of each table and index."""

    @property
    def read(self) -> int:
        return self.rows + self.buffers


def measure(work: Callable[[], object], turns: int = 1) -> Cost:
    """Do a piece of work, of which nothing is kept; return its best time, and what its first turn read."""
    cost = Cost(ms=float("inf"))
    for turn in range(turns):
        with transaction.atomic():
            before = counters()
            began = time.perf_counter()
            work()
            cost.ms = min(cost.ms, (time.perf_counter() - began) * 1000)
            if turn == 0:
                add(cost, before, counters())
            transaction.set_rollback(True)
        if cost.ms > LONG_MS:
            break
    return cost


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
