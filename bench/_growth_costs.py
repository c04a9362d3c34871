"""What a piece of work asks of the database: rows read and buffers touched, beside its time."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

EXPLAINED = ("select", "with", "insert", "update", "delete")


@dataclass
class Cost:
    ms: float = 0.0
    rows: int = 0
    buffers: int = 0
    statements: list[tuple[int, str]] = field(default_factory=list)

    def worst(self) -> str:
        """Return the statement that touched most."""
        return max(self.statements, default=(0, ""))[1]


@contextmanager
def counted(cost: Cost) -> Iterator[None]:
    """Add up what statements read; each is explained and run twice, so this is no time to measure time."""

    def explain(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if not many and sql.lstrip().lower().startswith(EXPLAINED):
            cursor = context["cursor"]
            point = transaction.savepoint()
            try:
                cursor.cursor.execute(f"explain (analyze, buffers, format json) {sql}", params)
                [[plan]] = cursor.cursor.fetchall()
                add(cost, plan if isinstance(plan, list) else json.loads(plan), sql)
            finally:
                transaction.savepoint_rollback(point)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        yield


def add(cost: Cost, plans: list[dict[str, Any]], sql: str) -> None:
    plan = plans[0]["Plan"]
    rows = sum(read_by(node) for node in nodes(plan))
    buffers = plan.get("Shared Hit Blocks", 0) + plan.get("Shared Read Blocks", 0)
    cost.rows += rows
    cost.buffers += buffers
    cost.statements.append((rows + buffers, " ".join(sql.split())[:300]))


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def read_by(node: dict[str, Any]) -> int:
    """Return how many rows a scan read, those that it then left out among them."""
    if not node["Node Type"].endswith("Scan") or node["Node Type"] in {"CTE Scan", "Subquery Scan"}:
        return 0
    left_out = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return int((node["Actual Rows"] + left_out) * node["Actual Loops"])


def measure(work: Callable[[], object], turns: int = 1, count: bool = True) -> Cost:
    """Do a piece of work, of which nothing is kept, and return what it cost: the best time of some turns."""
    cost = Cost(ms=float("inf"))
    for _ in range(turns):
        with transaction.atomic():
            began = time.perf_counter()
            work()
            cost.ms = min(cost.ms, (time.perf_counter() - began) * 1000)
            transaction.set_rollback(True)
    if count:
        with transaction.atomic():
            with counted(cost):
                work()
            transaction.set_rollback(True)
    return cost
