"""Double elimination by pods: an entrant that fails to advance loses one of its two lives.

Entrants with two lives and those with one play among themselves. When too few are left for that, all meet in
one pod, where only the winner keeps its life, until one is left. With two seats that is the grand
final, and its second game if the entrant from the lower bracket wins the first.
"""

from contests.formats.entities import Pod, Round, TournamentProgress
from contests.formats.points import series_order


def next_round(event: TournamentProgress) -> Round | None:
    """Return the pods of both brackets, or the final pod of all who are left; None once one is left."""
    number = event.next_number
    lives = lives_left(event)
    alive = [one.id for one in event.active(number) if lives[one.id] > 0]
    if len(alive) < 2:
        return None
    if len(alive) <= event.options.seats:
        finals = 1 + sum(played.round.pods[0].name == "Final" for played in event.played)
        name = "Final" if finals == 1 else f"Final, again ({finals})"
        return Round(number, name, (event.pod(number, alive, "Final"),))
    rested = _last_byes(event)
    pods: list[Pod] = []
    byes: list[int] = []
    for name, group in (
        ("Upper bracket", [one for one in alive if lives[one] == 2]),
        ("Lower bracket", [one for one in alive if lives[one] == 1]),
    ):
        tables, resting = _tables(group, event.options.seats, rested)
        pods += [event.pod(number, table, name) for table in tables]
        byes += resting
    if not pods:
        # Neither bracket fills a pod: the lower one plays short or, if it has one entrant, all meet.
        lower = [one for one in alive if lives[one] == 1]
        short = lower if len(lower) > 1 else alive[: event.options.seats]
        pods = [event.pod(number, short, "Lower bracket")]
        byes = [one for one in alive if one not in short]
    return Round(number, f"Round {number}", tuple(pods), tuple(byes))


def lives_left(event: TournamentProgress) -> dict[int, int]:
    """Return the lives that every entrant has left."""
    lives = {one.id: 2 for one in event.entrants}
    for played in event.played:
        for pod in played.round.pods:
            ranked = series_order(pod, played.games[pod.key], event.by_id.__getitem__)
            for one in ranked[_keeping(event, pod) :]:
                lives[one] -= 1
    return lives


def _keeping(event: TournamentProgress, pod: Pod) -> int:
    """Return how many of a pod lose no life: one in a final; a share of a short pod, but never all."""
    options = event.options
    if pod.name == "Final":
        return 1
    return max(1, len(pod.entrants) * options.advance // options.seats)


def _tables(group: list[int], seats: int, rested: set[int]) -> tuple[list[list[int]], list[int]]:
    """Return full pods, best with worst; the best seeds who did not rest last time rest now."""
    count = len(group) // seats
    spare = len(group) - count * seats
    if count == 0:
        return [], group
    resting = sorted(group, key=lambda one: (one in rested, group.index(one)))[:spare]
    playing = [one for one in group if one not in resting]
    tables: list[list[int]] = [[] for _ in range(count)]
    for rank, one in enumerate(playing):
        lap, place = divmod(rank, count)
        tables[count - 1 - place if lap % 2 else place].append(one)
    return tables, resting


def _last_byes(event: TournamentProgress) -> set[int]:
    return set(event.played[-1].round.byes) if event.played else set()
