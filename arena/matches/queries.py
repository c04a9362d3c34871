"""SQL by hand for making matches, which a ladder does by the hundred.

`make bench ONLY=statements` shows what it saves, and `tests/arena/matches/test_queries.py` compares it with
the ORM.
"""

from collections.abc import Iterable
from typing import NamedTuple

from arena.sql import columns, run

SEAT = """
    insert into matches_matchseat (match_id, seat, version_id, purpose, fault, fault_reason, strikes)
    select new.*, '', '', 0
    from unnest(%s::bigint[], %s::int[], %s::bigint[], %s::text[])
        as new (match_id, seat, version_id, purpose)
"""


class NewSeat(NamedTuple):
    match_id: int
    seat: int
    version_id: int
    purpose: str


def insert_seats(seats: Iterable[NewSeat]) -> None:
    """Seat versions at new matches; there must be at least one seat."""
    run(SEAT, columns(seats))
