"""Statements by hand, for what every match asks: to build them from models takes longer than to run them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection


def ask(statement: str, values: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Run a statement that returns rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def run(statement: str, values: Sequence[Any] | Mapping[str, Any]) -> None:
    """Run a statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def columns(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """Return rows, of which there is at least one, as lists for `unnest`."""
    return [list(column) for column in zip(*rows, strict=True)]
