"""SQL by hand for taking owed work: every match owes its settling.

`make bench ONLY=statements` shows what it saves, and `tests/arena/outbox/test_queries.py` compares it with
the ORM.
"""

import json
from typing import Any, NamedTuple

from django.conf import settings

from arena.sql import ask

TAKE_NEW = """
    update outbox_outbox
    set tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => %s)
    where id in (
        select id from outbox_outbox where kind = %s and tries = 0
        order by id limit %s for update skip locked
    )
    returning id, kind, payload, tries
"""


class Work(NamedTuple):
    """Work that was taken, with the number of tries including this one."""

    id: int
    kind: str
    payload: dict[str, Any]
    tries: int

    def __str__(self) -> str:
        return f"{self.kind} {self.payload}"


def take_new(kind: str, most: int) -> list[Work]:
    """Take rows of a kind that were never tried."""
    rows = ask(TAKE_NEW, [settings.OUTBOX_LEASE_SECONDS, kind, most])
    return [Work(pk, kind, json.loads(payload), tries) for pk, kind, payload, tries in rows]
