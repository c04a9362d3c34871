"""Games of house bots at mixed tables, on several processors, and the chance events in them."""

import os
from collections.abc import Iterator
from random import Random

from aztlan.house import HOUSE
from aztlan.local.contest import spread
from aztlan.local.table import play_game
from engine.replay.luck import ChanceEvents, chance_events

MIXED = ("settler", "settler", "greedy", "random")
"""House bots that need little time, the best of them twice as often."""

Played = tuple[list[float], list[str], ChanceEvents]
"""The results by seat (the share of opponents that it placed before), who sat there, and what chance did."""


def play_one(job: tuple[str, int, int, tuple[str, ...]]) -> Played:
    """Play one game from a name, a number, a number of seats and house bots: always the same game."""
    name, number, seats, names = job
    random = Random(f"{name} {number}")
    table = [random.choice(names) for _ in range(seats)]
    bots = [HOUSE[one](random.getrandbits(32)) for one in table]
    record, state = play_game(bots, random.randbytes(32))
    return [(seats - place) / (seats - 1) for place in state.placements()], table, chance_events(record)


def house_games(name: str, games: int, seats: int, names: tuple[str, ...] = MIXED) -> Iterator[Played]:
    jobs = [(name, number, seats, names) for number in range(games)]
    for _, played in spread(play_one, jobs, os.cpu_count() or 1):
        yield played
