"""Single elimination by pods: the best `advance` of each pod go on, until one pod, the final, is left.

The bracket is a fixed tree, the smallest that holds everybody. Missing seeds are empty places, in the pods of
the best seeds. A pod with no more entrants than may advance is not played.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from contests.formats.entities import PlayedRound, Pod, Round, TournamentProgress
from contests.formats.points import series_order


def next_round(event: TournamentProgress) -> Round | None:
    """Return the next level of the tree, or None after the final."""
    return later_round(event) if event.played else first_round(event, [one.id for one in event.by_seed()])


def first_round(event: TournamentProgress, seeded: Sequence[int]) -> Round:
    """Return the first level of a knockout of these entrants, best first."""
    return _level(event, first_tables(seeded, event.options.seats, event.options.advance))


def later_round(event: TournamentProgress) -> Round | None:
    """Return the level that follows from the latest round as it was paired, or None after the final."""
    options, last = event.options, event.played[-1]
    if len(last.round.tables) == 1:
        return None
    by_entrant = {one: pod for pod in last.round.pods for one in pod.entrants}
    going_on = [_advancing(event, table, last, by_entrant) for table in last.round.tables]
    merge = options.seats // options.advance
    return _level(event, [list(chain(*going_on[i : i + merge])) for i in range(0, len(going_on), merge)])


def first_tables(seeded: Sequence[int], seats: int, advance: int) -> list[list[int]]:
    """Return the pods of the first round in tree order: the best seeds meet as late as possible."""
    merge = seats // advance
    order, pods = [0], 1
    while pods * seats < len(seeded):
        # The best of `merge` pods, one and its mirrors, meet in one pod of the next level.
        order = [one for pod in order for one in _mirrors(pod, pods, merge)]
        pods *= merge
    tables: list[list[int]] = [[] for _ in range(pods)]
    for rank, one in enumerate(seeded):
        lap, place = divmod(rank, pods)
        tables[pods - 1 - place if lap % 2 else place].append(one)
    return [tables[pod] for pod in order]


def _mirrors(pod: int, pods: int, merge: int) -> list[int]:
    return [lap * pods + (pods - 1 - pod if lap % 2 else pod) for lap in range(merge)]


def _advancing(
    event: TournamentProgress, table: Sequence[int], played: PlayedRound, by_entrant: Mapping[int, Pod]
) -> list[int]:
    """Return who goes on from a place of the tree: the best of its pod, or those with a bye there."""
    pod = next((by_entrant[one] for one in table if one in by_entrant), None)
    if pod is None:
        return [one for one in table if one in played.round.byes][: event.options.advance]
    return series_order(pod, played.games[pod.key], event.by_id.__getitem__)[: event.options.advance]


def _level(event: TournamentProgress, tables: list[list[int]]) -> Round:
    number = event.next_number
    is_final = len(tables) == 1
    pods, byes = [], []
    for table in tables:
        present = [one for one in table if not event.by_id[one].is_out(number)]
        if len(present) > (1 if is_final else event.options.advance):
            pods.append(event.pod(number, present, "Final" if is_final else ""))
        else:
            byes += present
    names = {1: "Final", event.options.seats // event.options.advance: "Semi-finals"}
    name = names.get(len(tables), f"Round {number}")
    return Round(number, name, tuple(pods), tuple(byes), tables=tuple(map(tuple, tables)))
