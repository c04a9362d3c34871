"""How much stronger is each house bot than the one before it?

Duplicate play: one seed is played over every fair arrangement of the two kinds at the table (three seats: two
of one and one of the other, in all six ways; four seats: two of each, in all six ways), and the whole set
is one result: the share of opponents of the other kind that a bot placed before. The interval comes from the
spread of the sets. The searcher looks at a fixed number of worlds, so the table is always the same.
"""

import os
import time
from dataclasses import dataclass
from itertools import pairwise, permutations

from aztlan.bot import Bot
from aztlan.house import HOUSE
from aztlan.house.searcher import Searcher
from aztlan.local.contest import Seating, duplicate_sets, play_all
from aztlan.local.player_results import PlayerResult, standings
from aztlan.local.players import HousePlayer
from bench.figures import figure
from engine.rulesets import ruleset

SETS = {"greedy": 8, "settler": 16, "warlord": 8, "searcher": 8}
"""How many sets it takes to tell, by the stronger bot."""
WORLDS = 20


@dataclass(frozen=True)
class SteadyPlayer(HousePlayer):
    """A house bot whose play does not depend on the machine's speed."""

    def bot(self, seed: int) -> Bot:
        """A bot for one game."""
        return Searcher(seed, worlds=WORLDS) if self.name == "searcher" else super().bot(seed)


def arrangements(one: HousePlayer, other: HousePlayer, seats: int) -> list[Seating]:
    """All ways to seat as many of the one as of the other; with three seats, one more of either."""
    halves = {seats // 2, seats - seats // 2}
    tables = {table for half in halves for table in permutations([one] * half + [other] * (seats - half))}
    return sorted(tables, key=lambda table: [player.name for player in table])


def compare(stronger: str, weaker: str, seats: int) -> PlayerResult:
    """Play the sets; return the standing of the stronger bot."""
    seatings = arrangements(SteadyPlayer(stronger), SteadyPlayer(weaker), seats)
    sets = duplicate_sets(seatings, SETS[stronger], "house", ruleset())
    outcomes = play_all([job for games in sets for job in games], os.cpu_count() or 1)
    size = len(seatings)
    table = standings([outcomes[i : i + size] for i in range(0, len(outcomes), size)])
    return next(one for one in table if one.name == stronger)


def main() -> None:
    """Let each house bot play against the next weaker one, and print how surely it is stronger."""
    names = list(HOUSE)
    for seats in (3, 4):
        for weaker, stronger in pairwise(names):
            began = time.monotonic()
            one = compare(stronger, weaker, seats)
            pair = f"{stronger} against {weaker}, {seats} seats"
            figure(f"{pair}, ranks ahead", 100 * one.beaten, "%")
            figure(f"{pair}, lower bound of that", 100 * (one.beaten_low or 0), "%", at_least=50)
            figure(f"{pair}, Elo difference", one.elo)
            figure(f"{pair}, lower bound of the difference", one.elo_low or 0)
            figure(f"{pair}, upper bound of the difference", one.elo_high or 0)
            figure(f"{pair}, {6 * SETS[stronger]} games in", time.monotonic() - began, "s")


if __name__ == "__main__":
    main()
