"""One step of the fold: pure functions on plain values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.ladders.queries import Change
from contests.rating import Place, Rated, rate


def fold_result(sequence: int, places: Sequence[Place], known: dict[int, Rated]) -> list[Change]:
    """Rate one result, note it in `known`, and return what it changed."""
    after = rate(known, places)
    known.update(after)
    return [Change(sequence, bot, place, *after[bot]) for bot, place, _ in places]


def read_places(places: Iterable[Mapping[str, Any]]) -> list[Place]:
    """Return the places of a line of the log."""
    return [Place(place["bot"], place["place"], place.get("fixed")) for place in places]
