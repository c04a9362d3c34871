"""One step of the fold, and what it counts: pure functions on plain values."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from arena.ladders.queries import Change, Pair
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


def count_pairs(games: Iterable[Sequence[Place]]) -> list[Pair]:
    """Return who met whom, and who came first, added up over some games."""
    counts: dict[tuple[int, int], list[int]] = {}
    for places in games:
        for one, other in combinations(sorted(places, key=lambda place: place.bot), 2):
            count = counts.setdefault((one.bot, other.bot), [0, 0, 0])
            count[0] += 1
            count[1] += one.place < other.place
            count[2] += one.place > other.place
    return [Pair(*bots, *count) for bots, count in sorted(counts.items())]
