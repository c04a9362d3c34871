"""Compares a statement of `queries.py` with its plain form: the same answer, and the same rows afterwards."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import models, transaction

Outcome = tuple[Any, dict[str, list[dict[str, Any]]]]


def outcome(act: Callable[[], Any], *written: type[models.Model]) -> Outcome:
    """Return what an act answers and leaves in these tables, and undo it."""
    with transaction.atomic():
        answer = act()
        rows = {model.__name__: [row_of(row) for row in model.objects.order_by("pk")] for model in written}
        transaction.set_rollback(True)
    return answer, rows


def row_of(row: models.Model) -> dict[str, Any]:
    """Return a row without its id, which no two inserts share, and with every time as the same word."""
    names = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    return {name: comparable(getattr(row, name)) for name in names}


def comparable(value: Any) -> Any:
    if isinstance(value, datetime):
        return "a time"
    return bytes(value) if isinstance(value, memoryview) else value
