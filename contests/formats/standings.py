"""Standings, with named tie-breaks in the order that the organiser chose."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from contests.formats.entities import Entrant, FormatError, TournamentProgress
from contests.formats.points import WIN, series_points

TIE_BREAKS: Final = (
    "points",
    "head_to_head",
    "buchholz",
    "sonneborn_berger",
    "placements",
    "rating",
    "seed",
)


@dataclass(slots=True)
class Tally:
    """What one entrant has done so far. Points are twelfths of a win."""

    entrant: Entrant
    points: int = 0
    pods: int = 0
    byes: int = 0
    met: list[tuple[int, int]] = field(default_factory=list)  # opponent, and the difference in points
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


@dataclass(frozen=True, slots=True)
class RankedEntrant:
    """A line of the standings: the place, and the value of each tie-break, in order."""

    place: int
    entrant: Entrant
    points: int
    pods: int
    byes: int
    breaks: tuple[float, ...]


def tallies(event: TournamentProgress, bye_points: int = WIN) -> dict[int, Tally]:
    """Add up everything that was played."""
    found = {one.id: Tally(one) for one in event.entrants}
    for played in event.played:
        for pod in played.round.pods:
            points = series_points(played.games[pod.key])
            ranked = sorted(points.values(), reverse=True)
            for one, own in points.items():
                tally = found[one]
                tally.points += own
                tally.pods += 1
                tally.places[ranked.index(own)] += 1
                tally.met += [(other, own - theirs) for other, theirs in points.items() if other != one]
        for one in played.round.byes:
            found[one].byes += 1
            found[one].points += bye_points
        for one in played.round.walkovers:
            found[one].points += WIN
    return found


def standings(
    event: TournamentProgress,
    order: Sequence[str] = TIE_BREAKS,
    bye_points: int = WIN,
    up_to_round: int | None = None,
) -> list[RankedEntrant]:
    """Return the standings, best first and without shared places. Those who are out come last."""
    for name in order:
        if name not in TIE_BREAKS:
            raise FormatError(f"There is no tie-break {name!r}. Choose from {', '.join(TIE_BREAKS)}.")
    found = tallies(event, bye_points)
    number = event.next_number if up_to_round is None else up_to_round
    values = {name: _values(name, found) for name in order if name != "head_to_head"}
    groups = [[one for one in found if not found[one].entrant.is_out(number)]]
    groups.append([one for one in found if found[one].entrant.is_out(number)])
    breaks: dict[int, list[float]] = {one: [] for one in found}
    for name in (*order, "seed"):
        value = (
            _head_to_head(groups, found)
            if name == "head_to_head"
            else values.get(name) or _values(name, found)
        )
        for one in found:
            breaks[one].append(value[one])
        groups = [part for group in groups for part in _split(group, value)]
    lines = [one for group in groups for one in group]
    return [
        RankedEntrant(
            place,
            found[one].entrant,
            found[one].points,
            found[one].pods,
            found[one].byes,
            tuple(breaks[one][: len(order)]),
        )
        for place, one in enumerate(lines, 1)
    ]


def _values(name: str, found: dict[int, Tally]) -> dict[int, float]:
    measure: dict[str, Callable[[Tally], float]] = {
        "points": lambda one: one.points,
        "buchholz": lambda one: sum(found[other].points for other, _ in one.met),
        "sonneborn_berger": lambda one: sum(
            found[other].points if between > 0 else found[other].points / 2
            for other, between in one.met
            if between >= 0
        ),
        "placements": lambda one: sum(count * 1000.0 ** (3 - i) for i, count in enumerate(one.places)),
        "rating": lambda one: one.entrant.rating,
        "seed": lambda one: -one.entrant.seed,
    }
    return {one: measure[name](tally) for one, tally in found.items()}


def _head_to_head(groups: list[list[int]], found: dict[int, Tally]) -> dict[int, float]:
    """Return, within each group of ties, points won from the rest of the group minus points lost to them."""
    value = dict.fromkeys(found, 0.0)
    for group in groups:
        members = set(group)
        for one in group if len(group) > 1 else ():
            value[one] = float(sum(between for other, between in found[one].met if other in members))
    return value


def _split(group: list[int], value: dict[int, float]) -> list[list[int]]:
    parts: dict[float, list[int]] = defaultdict(list)
    for one in group:
        parts[value[one]].append(one)
    return [parts[key] for key in sorted(parts, reverse=True)]
