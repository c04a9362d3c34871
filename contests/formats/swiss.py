"""Swiss: in each round, entrants with similar results meet, preferably those who have not met before.

Two seats are paired by the FIDE Dutch system if `dutch` is fast enough for the field. Pods and large fields
are paired in the order of the standings: from the top down, everybody gets the nearest entrants they have
met least; then swaps between tables remove repeated meetings.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import ceil, log2
from typing import Final

from contests.formats import dutch
from contests.formats.entities import Pod, Round, TournamentProgress
from contests.formats.standings import standings

WINDOW: Final = 24
"""How far down the standings to look for an opponent before accepting a second meeting for now."""

Met = Counter[tuple[int, int]]


def next_round(event: TournamentProgress) -> Round | None:
    """Return the next round, paired by the standings; None once all rounds are played."""
    number = event.next_number
    if number > rounds_of(event):
        return None
    active = event.active(number)
    if len(active) < 2:
        return None
    by_system = None
    if event.options.seats == 2 and len(active) <= dutch.MOST_ENTRANTS:
        by_system = dutch.pair(event, rounds_of(event))
    tables, byes = by_system or pair_by_standing(event)
    # Keep the order at a table: the first of a Dutch pair sits in seat 0 in the first game.
    return Round(number, f"Round {number}", tuple(Pod(number, tuple(one)) for one in tables), tuple(byes))


def rounds_of(event: TournamentProgress) -> int:
    """Return the number of rounds: the organiser's choice, or enough to find a winner."""
    if event.options.rounds is not None:
        return event.options.rounds
    return max(1, ceil(log2(len(event.entrants)))) + (event.options.seats > 2)


def pair_by_standing(event: TournamentProgress) -> tuple[Sequence[Sequence[int]], list[int]]:
    """Return the tables and byes of the next round."""
    seats, number = event.options.seats, event.next_number
    table = [line for line in standings(event, ("points", "seed")) if not line.entrant.is_out(number)]
    spare = len(table) % seats
    # Byes go to those with the fewest so far, from the bottom of the standings up.
    byes = sorted(table, key=lambda line: (line.byes, -line.place))[:spare] if len(table) > seats else []
    resting = {line.entrant.id for line in byes}
    order = [line.entrant.id for line in table if line.entrant.id not in resting]
    met = meetings(event)
    tables = _seat_from_the_top(order, seats, met)
    _separate(tables, met)
    return tables, sorted(resting)


def meetings(event: TournamentProgress) -> Met:
    """Return how often each pair, smaller id first, has met."""
    met: Met = Counter()
    for played in event.played:
        for pod in played.round.pods:
            met.update(combinations(sorted(pod.entrants), 2))
    return met


def _times(met: Met, one: int, others: Sequence[int]) -> int:
    return sum(met[(one, other) if one < other else (other, one)] for other in others)


def _seat_from_the_top(order: list[int], seats: int, met: Met) -> list[list[int]]:
    left = list(order)
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < seats and left:
            near = left[:WINDOW]
            best = min(range(len(near)), key=lambda i: (_times(met, near[i], table), i))
            table.append(left.pop(best))
        tables.append(table)
    return tables


def _separate(tables: list[list[int]], met: Met) -> None:
    """Swap members of tables, the nearest first, wherever that reduces repeated meetings."""

    def cost(table: list[int]) -> int:
        return sum(_times(met, one, table[i + 1 :]) for i, one in enumerate(table))

    # A swap may move a part of its cost to the other table, which is then checked next.
    helped = True
    while helped:
        crowded = [here for here in range(len(tables)) if cost(tables[here])]
        helped = sum(_exchange(tables, here, cost) for here in crowded) > 0


def _exchange(tables: list[list[int]], here: int, cost: Callable[[list[int]], int]) -> bool:
    """Make one swap that helps; return False if there is none."""
    table = tables[here]
    for there in sorted(range(len(tables)), key=lambda i: abs(i - here))[1:]:
        other = tables[there]
        now = cost(table) + cost(other)
        for i in range(len(table)):
            for j in range(len(other)):
                table[i], other[j] = other[j], table[i]
                if cost(table) + cost(other) < now:
                    return True
                table[i], other[j] = other[j], table[i]
    return False
