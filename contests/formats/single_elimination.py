"""Single elimination by pods: the best `advance` of each pod go on, until one pod, the final, is left.

The bracket is a fixed tree. Its size is the smallest that holds everybody; missing seeds are empty places,
which fall to the pods of the best seeds. A pod with no more entrants than may advance is not played.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from contests.formats.entities import Event, Game, Pod, Round
from contests.formats.points import series_order


def next_round(event: Event) -> Round | None:
    """The next level of the tree, or None after the final."""
    return knockout_round(event, [one.id for one in event.by_seed()], 1)


def knockout_round(event: Event, seeded: Sequence[int], first: int) -> Round | None:
    """The next round of a knockout of these entrants, the best first, whose first round is number `first`."""
    options = event.options
    tables = first_tables(seeded, options.seats, options.advance)
    for played in event.played[first - 1 :]:
        if len(tables) == 1:
            return None
        by_entrant = {one: pod for pod in played.round.pods for one in pod.entrants}
        going_on = [
            _advancing(event, table, by_entrant, played.games, played.round.number) for table in tables
        ]
        merge = options.seats // options.advance
        tables = [list(chain(*going_on[i : i + merge])) for i in range(0, len(going_on), merge)]
    return _level(event, tables)


def first_tables(seeded: Sequence[int], seats: int, advance: int) -> list[list[int]]:
    """The pods of the first round in the order of the tree: the best seeds meet as late as can be."""
    merge = seats // advance
    order, pods = [0], 1
    while pods * seats < len(seeded):
        # Each pod's best come from `merge` pods: itself and its mirrors.
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
    event: Event,
    table: list[int],
    by_entrant: dict[int, Pod],
    games: Mapping[str, Sequence[Game]],
    number: int,
) -> list[int]:
    present = [one for one in table if not event.by_id[one].is_out(number)]
    pod = by_entrant.get(present[0]) if present else None
    if pod is None:
        return present[: event.options.advance]
    ranked = series_order(pod, games[pod.key], event.by_id.__getitem__)
    return ranked[: event.options.advance]


def _level(event: Event, tables: list[list[int]]) -> Round:
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
    return Round(number, names.get(len(tables), f"Round {number}"), tuple(pods), tuple(byes))
