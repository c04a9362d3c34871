"""How rounds are stored when they open: who meets, and what was known then."""

from collections.abc import Iterable
from typing import Any

from arena.tournaments.models import Game, RoundOpening
from contests.formats.entities import Entrant, Pod, Round


def to_data(one: Round) -> dict[str, Any]:
    """Return a round as JSON data."""
    return {
        "name": one.name,
        "pods": [{"entries": list(pod.entrants), "name": pod.name} for pod in one.pods],
        "byes": list(one.byes),
        "walkovers": list(one.walkovers),
        "tables": [list(table) for table in one.tables],
    }


def paired(opening: RoundOpening) -> Round:
    """Return the round as it was paired when it opened."""
    stored = opening.pairing
    return Round(
        opening.number,
        stored["name"],
        tuple(Pod(opening.number, tuple(pod["entries"]), pod["name"]) for pod in stored["pods"]),
        tuple(stored["byes"]),
        tuple(stored["walkovers"]),
        tuple(map(tuple, stored["tables"])),
    )


def what_is_known(
    openings: Iterable[RoundOpening], entrants: Iterable[Entrant], games: Iterable[Game]
) -> dict[str, Any]:
    """Return what the next round is paired from, as the difference from the rounds before it."""
    before = known_games(openings)
    now = {one.pk for one in games if one.voided_at is None and one.placements is not None}
    return {
        "out": {str(one.id): one.out_from for one in entrants if one.out_from is not None},
        "counted": sorted(now - before),
        "voided": sorted(before - now),
    }


def known_games(openings: Iterable[RoundOpening]) -> set[int]:
    """Return the games that counted when the last of these rounds opened."""
    found: set[int] = set()
    for opening in openings:
        found = (found | set(opening.known["counted"])) - set(opening.known["voided"])
    return found
