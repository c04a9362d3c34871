"""Sums over all that a bot has met, added up once and kept until one of the blocks they come from changes.

A bot that has met 20,000 others has tens of thousands of counts, which take PostgreSQL some 15 ms to add up.
What is kept is found by the state of those blocks, so nothing has to be told when results are counted or
voided: the sums are always those of the blocks as they are. Few counts, and all counts while Redis is down,
are added up every time.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from arena.ladders import meeting_queries
from arena.ladders.meeting_queries import Met, MetByBoth, Opponents
from arena.shared_cache import get_or_build

KEPT_SECONDS = 3600
FEW_BYTES = 8000
"""Of keys: some thousands of counts, which are added up in about a millisecond."""


def opponents_met(versions: Sequence[int], seasons: Sequence[int], seat: int | None, most: int) -> Opponents:
    """As the query of that name."""
    found, total, count = kept(
        versions, seasons, meeting_queries.opponents_met, [list(versions), list(seasons), seat, most]
    )
    return Opponents([(other, Met(*met)) for other, met in found], Met(*total), count)


def met_by_both(older: int, newer: int, seasons: Sequence[int], most: int) -> list[MetByBoth]:
    """As the query of that name."""
    rows = kept([older, newer], seasons, meeting_queries.met_by_both, [older, newer, list(seasons), most])
    return [MetByBoth(other, Met(*first), Met(*second)) for other, first, second in rows]


def kept(
    versions: Sequence[int], seasons: Sequence[int], query: Callable[..., Any], values: Sequence[object]
) -> Any:
    """Return what a query says of blocks of meetings, as JSON has it, asking it only if they have changed."""
    state, size = meeting_queries.state_of(versions, seasons)

    def build() -> bytes:
        return json.dumps(query(*values)).encode()

    if size < FEW_BYTES:
        return json.loads(build())
    key = sha256(json.dumps([query.__name__, values, state]).encode()).hexdigest()
    return json.loads(get_or_build(f"meetings:{key}", build, KEPT_SECONDS))
