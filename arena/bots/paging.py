"""Pages of a long list: each starts after the last id of the page before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Page(Generic[Row]):
    rows: Sequence[Row]
    first: str
    """The address of the first page, where this is a later one."""
    next: str


def page_of(request: HttpRequest, rows: QuerySet[Row], length: int) -> Page[Row]:
    """Return the page of rows, newest first, that `?before=` names; an invalid number is ignored."""
    query = request.GET.copy()
    before = query.pop("before", [""])[-1]
    if before.isascii() and before.isdecimal() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    else:
        before = ""
    found = list(rows[: length + 1])
    first = f"?{query.urlencode()}" if before else ""
    if len(found) <= length:
        return Page(found, first, "")
    query["before"] = str(found[length - 1].pk)
    return Page(found[:length], first, f"?{query.urlencode()}")
