"""Runs the SQL of each app's `queries.py`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

Values = Sequence[Any] | Mapping[str, Any]


def ask(statement: str, values: Values) -> list[tuple[Any, ...]]:
    """Run a statement that returns rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def run(statement: str, values: Values) -> None:
    """Run a statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def columns(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """Turn rows, of which there is at least one, into one list per column, as `unnest` takes them."""
    return [list(column) for column in zip(*rows, strict=True)]
