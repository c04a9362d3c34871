"""Groups, then a knockout: a round robin in each group, whose best go on to single elimination."""

from dataclasses import replace

from contests.formats.entities import Entrant, PlayedRound, Pod, Round, TournamentProgress, split_by_presence
from contests.formats.round_robin import schedule_of
from contests.formats.single_elimination import first_round, later_round
from contests.formats.standings import RankedEntrant, standings


def next_round(event: TournamentProgress) -> Round | None:
    """Return the next round of all groups, then the rounds of the knockout."""
    groups = groups_of(event)
    schedules = [schedule_of(len(group), event.options.seats) for group in groups]
    group_rounds = max(map(len, schedules)) * event.options.cycles
    index = len(event.played)
    if index > group_rounds:
        return later_round(event)
    if index == group_rounds:
        return first_round(event, qualified(event, groups, group_rounds))
    number = index + 1
    tables, names = [], {}
    for label, (group, schedule) in enumerate(zip(groups, schedules, strict=True)):
        ids = [one.id for one in group]
        lap, place = divmod(index, max(map(len, schedules)))
        for table in schedule[place] if place < len(schedule) and lap < event.options.cycles else ():
            tables += [[ids[i] for i in table]]
        names.update(dict.fromkeys(ids, group_name(label)))
    found = split_by_presence(event, number, f"Groups, round {number}", tables)
    pods = tuple(replace(pod, name=names[pod.entrants[0]]) for pod in found.pods)
    return replace(found, pods=pods)


def groups_of(event: TournamentProgress) -> list[list[Entrant]]:
    """Return the groups, of sizes as equal as possible, filled by seed back and forth."""
    seeded = event.by_seed()
    count = max(1, round(len(seeded) / event.options.group_size))
    groups: list[list[Entrant]] = [[] for _ in range(count)]
    for rank, one in enumerate(seeded):
        lap, place = divmod(rank, count)
        groups[count - 1 - place if lap % 2 else place].append(one)
    return groups


def group_name(label: int) -> str:
    """Group A, B, …, Z, 27, 28, …"""
    return f"Group {chr(65 + label) if label < 26 else label + 1}"


def group_tables(event: TournamentProgress) -> list[tuple[str, list[RankedEntrant]]]:
    """Return the name and the standings of each group, from what was played in the groups so far."""
    groups = groups_of(event)
    rounds = max(len(schedule_of(len(group), event.options.seats)) for group in groups) * event.options.cycles
    return [(group_name(label), _table(event, group, rounds)) for label, group in enumerate(groups)]


def _table(event: TournamentProgress, group: list[Entrant], group_rounds: int) -> list[RankedEntrant]:
    members = {one.id for one in group}
    return standings(_only(event, group, members, group_rounds), bye_points=0, up_to_round=group_rounds)


def qualified(event: TournamentProgress, groups: list[list[Entrant]], group_rounds: int) -> list[int]:
    """Return who goes on, in seed order: all group winners by points, then all runners-up, and so on."""
    found = []
    for group in groups:
        table = _table(event, group, group_rounds)
        best = [line for line in table[: event.options.from_group] if not line.entrant.is_out(group_rounds)]
        found += [
            (line.place, -line.points, event.by_id[line.entrant.id].seed, line.entrant.id) for line in best
        ]
    return [one for *_, one in sorted(found)]


def _only(
    event: TournamentProgress, group: list[Entrant], members: set[int], group_rounds: int
) -> TournamentProgress:
    """Return the event reduced to one group, with seeds of its own."""
    seeded = tuple(replace(one, seed=seed) for seed, one in enumerate(group, 1))
    rounds = []
    for played in event.played[:group_rounds]:
        pods: tuple[Pod, ...] = tuple(pod for pod in played.round.pods if pod.entrants[0] in members)
        own = replace(
            played.round,
            pods=pods,
            byes=tuple(one for one in played.round.byes if one in members),
            walkovers=tuple(one for one in played.round.walkovers if one in members),
        )
        rounds.append(PlayedRound(own, played.games))
    return TournamentProgress(event.options, seeded, tuple(rounds))
