"""One step of the fold: a pure function on plain values."""

from collections.abc import Sequence

from arena.ladders.queries import Change
from contests.rating import Place, Rated, rate


def fold_result(sequence: int, places: Sequence[Place], known: dict[int, Rated]) -> list[Change]:
    """Rate one result, note it in `known`, and return what it changed."""
    after = rate(known, places)
    known |= after
    return [
        Change(sequence, place.bot, place.place, one.rating, one.games, one.wins)
        for place in places
        for one in (after[place.bot],)
    ]
