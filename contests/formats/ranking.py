"""The ranking of an event, by what its format counts: points, or how far an entrant came."""

from dataclasses import replace
from typing import Final

from contests.formats.entities import Round, TournamentProgress
from contests.formats.points import series_order
from contests.formats.standings import TIE_BREAKS, RankedEntrant, standings

BY_DISTANCE: Final = {"single_elimination", "double_elimination", "groups"}


def ranking(format_name: str, event: TournamentProgress, order: tuple[str, ...] = TIE_BREAKS) -> list[int]:
    """Return the ids of all entrants, best first."""
    return [line.entrant.id for line in ranked_lines(format_name, event, order)]


def ranked_lines(
    format_name: str, event: TournamentProgress, order: tuple[str, ...] = TIE_BREAKS
) -> list[RankedEntrant]:
    """Return all lines, best first. A rest in a round robin scores nothing; a bye in a Swiss is a win."""
    table = standings(event, order, bye_points=0) if format_name != "swiss" else standings(event, order)
    if format_name not in BY_DISTANCE:
        return table
    came = _how_far(event)
    number = event.next_number
    ranked = sorted(
        table, key=lambda line: (line.entrant.is_out(number), came.get(line.entrant.id, (0, 0)), line.place)
    )
    return [replace(line, place=place) for place, line in enumerate(ranked, 1)]


def is_knockout(one: Round) -> bool:
    """Return whether a round belongs to a knockout, not to the groups before it."""
    return not one.name.startswith("Groups")


def _how_far(event: TournamentProgress) -> dict[int, tuple[int, int]]:
    """Return the last knockout round that each entrant reached, negated, and its place there."""
    came: dict[int, tuple[int, int]] = {}
    for played in event.played:
        if not is_knockout(played.round):
            continue
        for pod in played.round.pods:
            for place, one in enumerate(series_order(pod, played.games[pod.key], event.by_id.__getitem__)):
                came[one] = (-played.round.number, place)
        for one in played.round.byes:
            came[one] = (-played.round.number, 0)
    return came
