"""SQL by hand for taking owed work: every match owes its settling.

`make bench ONLY=statements` shows what each statement saves, and `tests/arena/outbox/test_queries.py`
compares it with the ORM.
"""

import json
from typing import Any, NamedTuple

from django.conf import settings

from arena.sql import ask, run

TAKE = """
    update outbox_outbox
    set tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => %s)
    where id = %s and tries = %s
    returning id, kind, payload, tries
"""
TAKE_NEW = """
    update outbox_outbox
    set tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => %s)
    where id in (
        select id from outbox_outbox where kind = %s and tries = 0
        order by id limit %s for update skip locked
    )
    returning id, kind, payload, tries
"""
STRIKE_OFF = "delete from outbox_outbox where id = any (%s)"


class Work(NamedTuple):
    """Work that was taken, with the number of tries including this one."""

    id: int
    kind: str
    text: str
    tries: int

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(self.text)
        return payload

    def __str__(self) -> str:
        return f"{self.kind} {self.text}"


def take(outbox_id: int, tries: int) -> Work | None:
    """Take a row for one more try, unless another worker took this try."""
    rows = ask(TAKE, [settings.OUTBOX_LEASE_SECONDS, outbox_id, tries])
    return Work(*rows[0]) if rows else None


def take_new(kind: str, most: int) -> list[Work]:
    """Take rows of a kind that were never tried."""
    return [Work(*row) for row in ask(TAKE_NEW, [settings.OUTBOX_LEASE_SECONDS, kind, most])]


def strike_off(ids: list[int]) -> None:
    run(STRIKE_OFF, [ids])
