"""Round robin: with two seats, everybody meets everybody; with more, every pod is played once or,
if there are too many, a balanced choice in which everybody meets everybody about equally often."""

from functools import cache
from itertools import combinations
from math import ceil, comb
from typing import Final

from contests.formats.entities import Round, TournamentProgress, split_by_presence

MOST_PODS: Final = 1500
"""Up to this many pods, every composition is played; a 4-seat event of 14 has 1001."""

Tables = tuple[tuple[int, ...], ...]


def next_round(event: TournamentProgress) -> Round | None:
    """Return the next round of the schedule, which is known from the start."""
    options = event.options
    schedule = schedule_of(len(event.entrants), options.seats, options.rounds)
    index = len(event.played)
    if index >= len(schedule) * options.cycles:
        return None
    order = [one.id for one in event.by_seed()]
    tables = [[order[i] for i in table] for table in schedule[index % len(schedule)]]
    return split_by_presence(event, index + 1, f"Round {index + 1}", tables)


def schedule_of(count: int, seats: int, rounds: int | None = None) -> tuple[Tables, ...]:
    """Return the rounds of `count` entrants, who are numbered by seed from 0."""
    if count < seats:
        return ((tuple(range(count)),),)
    if seats == 2:
        return _circle(count)
    if rounds is None and comb(count, seats) <= MOST_PODS:
        return _every_pod(count, seats)
    return _balanced(count, seats, rounds or ceil((count - 1) / (seats - 1)))


@cache
def _circle(count: int) -> tuple[Tables, ...]:
    """Use the circle method: one stays, the others rotate. With an odd number, each rests once."""
    ring: list[int | None] = [*range(count)]
    if count % 2:
        ring.append(None)
    half = len(ring) // 2
    found = []
    for _ in range(len(ring) - 1):
        pairs = [(ring[i], ring[-1 - i]) for i in range(half)]
        found.append(tuple((a, b) for a, b in pairs if a is not None and b is not None))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return tuple(found)


@cache
def _every_pod(count: int, seats: int) -> tuple[Tables, ...]:
    """Return all compositions, packed into rounds, those first whose members have played least."""
    left = {sum(1 << i for i in pod): pod for pod in combinations(range(count), seats)}
    games = [0] * count
    found = []
    while left:
        taken, tables = 0, []
        for mask, pod in sorted(left.items(), key=lambda one: sum(games[i] for i in one[1])):
            if not mask & taken:
                taken |= mask
                tables.append(pod)
                del left[mask]
                if len(tables) == count // seats:
                    break
        for pod in tables:
            for i in pod:
                games[i] += 1
        found.append(tuple(tables))
    return tuple(found)


@cache
def _balanced(count: int, seats: int, rounds: int) -> tuple[Tables, ...]:
    """Choose round by round: rests rotate, and tables are those who have met least, improved by swaps."""
    met = [[0] * count for _ in range(count)]
    rests = [0] * count
    found = []
    for number in range(rounds):
        # Those who rested least rest; the starting point moves on, so that equals take turns.
        turn = sorted(range(count), key=lambda i: (rests[i], (i + number * seats) % count))
        resting = set(turn[: count % seats])
        for i in resting:
            rests[i] += 1
        tables = _seat([i for i in turn if i not in resting], seats, met)
        _improve(tables, met)
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
        found.append(tuple(tuple(sorted(table)) for table in tables))
    return tuple(found)


def _seat(players: list[int], seats: int, met: list[list[int]]) -> list[list[int]]:
    tables = []
    left = list(players)
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            best = min(left, key=lambda one: sum(met[one][other] ** 2 for other in table))
            left.remove(best)
            table.append(best)
        tables.append(table)
    return tables


def _improve(tables: list[list[int]], met: list[list[int]]) -> None:
    """Swap members of two tables as long as that reduces repeated meetings."""

    def cost(one: int, table: list[int], without: int) -> int:
        return sum(2 * met[one][other] + 1 for i, other in enumerate(table) if i != without)

    improved = True
    while improved:
        improved = False
        for first, second in combinations(tables, 2):
            for i in range(len(first)):
                for j in range(len(second)):
                    a, b = first[i], second[j]
                    now = cost(a, first, i) + cost(b, second, j)
                    if cost(b, first, i) + cost(a, second, j) < now:
                        first[i], second[j] = b, a
                        improved = True
