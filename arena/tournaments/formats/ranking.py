"""Who stands where in an event, by what its format goes by: points, or how far one came."""

from typing import Final

from arena.tournaments.formats.entities import Event
from arena.tournaments.formats.points import series_order
from arena.tournaments.formats.standings import TIE_BREAKS, standings

_BY_DISTANCE: Final = {"single_elimination", "double_elimination", "groups"}


def ranking(format_name: str, event: Event, order: tuple[str, ...] = TIE_BREAKS) -> list[int]:
    """All entrants, best first. A round robin's rests give nothing; a Swiss bye is a win."""
    table = standings(event, order, bye_points=0) if format_name != "swiss" else standings(event, order)
    by_points = [line.entrant.id for line in table]
    if format_name not in _BY_DISTANCE:
        return by_points
    came: dict[int, tuple[int, int]] = {}
    for played in event.played:
        if played.round.name.startswith("Groups"):
            continue
        for pod in played.round.pods:
            for place, one in enumerate(series_order(pod, played.games[pod.key], event.by_id.__getitem__)):
                came[one] = (-played.round.number, place)
        for one in played.round.byes:
            came[one] = (-played.round.number, 0)
    number = event.next_number
    return sorted(
        by_points,
        key=lambda one: (event.by_id[one].is_out(number), came.get(one, (0, 0)), by_points.index(one)),
    )
