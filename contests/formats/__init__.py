"""Tournament formats as pure functions of entrants and results: no Django, no clock, no randomness.

Each format is a module with `next_round(event)`: the round that follows from what was played, or None when
the event is over. It is called once, when a round opens. From then on that round is a fact, like the games
played in it: formats follow the rounds as they were paired, even if an earlier result has changed since.
"""

from collections.abc import Callable
from typing import Final

from contests.formats import (
    double_elimination,
    gauntlet,
    groups,
    round_robin,
    single_elimination,
    swiss,
)
from contests.formats.entities import Round, TournamentProgress

FORMATS: Final[dict[str, Callable[[TournamentProgress], Round | None]]] = {
    "round_robin": round_robin.next_round,
    "swiss": swiss.next_round,
    "single_elimination": single_elimination.next_round,
    "double_elimination": double_elimination.next_round,
    "groups": groups.next_round,
    "gauntlet": gauntlet.next_round,
}
