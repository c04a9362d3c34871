"""What a piece of work asks of the database: rows read and buffers touched, beside its time (on Linux)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

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
    cpu_ms: float = 0.0
    """What this process and PostgreSQL computed, which other work on the machine does not lengthen much."""
    ratio: float = 0.0
    """The same beside a fixed reference, measured before and after it: other work slows both."""
    rows: int = 0
    buffers: int = 0
    by_relation: dict[str, int] = field(default_factory=dict)
    """Rows and buffers together, of each table and index."""

    @property
    def read(self) -> int:
        return self.rows + self.buffers


def measure(work: Callable[[], object], turns: int = 1) -> Cost:
    """Do a piece of work, of which nothing is kept; return its best time, and what its first turn read."""
    cost = Cost(ms=float("inf"), cpu_ms=float("inf"), ratio=float("inf"))
    for turn in range(turns):
        with transaction.atomic():
            reference = timed(do_reference)[1]
            before = counters()
            ms, cpu_ms = timed(work)
            if turn == 0:
                add(cost, before, counters())
            reference = (reference + timed(do_reference)[1]) / 2
            cost.ms, cost.cpu_ms = min(cost.ms, ms), min(cost.cpu_ms, cpu_ms)
            cost.ratio = min(cost.ratio, cpu_ms / reference)
            transaction.set_rollback(True)
        if cost.ms > LONG_MS:
            break
    return cost


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Do a piece of work; return how long it took, and how much of that was computing, in milliseconds."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        statistics = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    began, computed, by_server = (
        time.perf_counter(),
        time.process_time(),
        int(statistics.read_text().split()[0]),
    )
    work()
    cpu = time.process_time() - computed + (int(statistics.read_text().split()[0]) - by_server) / 1e9
    return (time.perf_counter() - began) * 1000, cpu * 1000


def do_reference() -> None:
    """A fixed piece of work, half of it in the database and half in Python."""
    with connection.cursor() as cursor:
        cursor.execute(REFERENCE)
    sum(number * number for number in range(REFERENCE_LOOPS))


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
