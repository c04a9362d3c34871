"""What anything costs must not depend on how much was played: ten times as much, counted in rows and buffers.

Rows and buffers rather than time: they are the same on a busy machine. `make bench ONLY=growth` measures the
same at full size, in time.
"""

from collections.abc import Callable

import pytest
from django.db import connection

from bench._growth_costs import Cost, measure
from bench._growth_data import Size, empty, fill
from bench._growth_work import measure_all

SMALL, LARGE = Size("S", 1500, 30), Size("10 x S", 15_000, 300)
FACTOR, ROWS, BUFFERS = 3, 150, 300
"""A tree that is one level deeper and a list that is now full may cost this much; ten times is linear."""

# What reads each bot, and why that is meant. None of these reads each match.
PER_BOT = {
    "task: note best ranks": "once a minute, in one statement",
    "/ladders/ladder-0/?q=Jaguar 77": "a search for a part of a name",
    "/ladders/ladder-0/?page=999999999": "it finds the last page by counting along the index",
    "/ladders/ladder-0/?after={last}": "the rank of the first row is counted along the index",
}


def is_linear(small: Cost, large: Cost) -> bool:
    return large.rows > FACTOR * small.rows + ROWS or large.buffers > FACTOR * small.buffers + BUFFERS


def costs_at(size: Size, extra: dict[str, Callable[[], object]]) -> dict[str, Cost]:
    fill(size)
    costs, failed = measure_all()
    assert failed == {}
    costs |= {name: measure(work) for name, work in extra.items()}
    empty()
    return costs


def planted() -> None:
    """Ask what reads all matches of a season, as matchmaking once did."""
    with connection.cursor() as cursor:
        cursor.execute("select count(created_at) from matches_match where purpose_id = 2")


@pytest.mark.django_db(transaction=True)
def test_nothing_becomes_linear() -> None:
    small = costs_at(SMALL, {"planted": planted})
    large = costs_at(LARGE, {"planted": planted})
    assert len(large) > 100, "every page, list and task is measured"
    grown = {name for name in small.keys() & large.keys() if is_linear(small[name], large[name])}
    assert "planted" in grown, "the check finds what is linear"
    told = {
        name: (
            small[name].rows,
            large[name].rows,
            small[name].buffers,
            large[name].buffers,
            large[name].worst(),
        )
        for name in grown - PER_BOT.keys() - {"planted"}
    }
    assert told == {}
