"""Do ratings find the order of the rungs? A ladder of house bots alone, by the arena's own rules.

Who meets whom is chosen by the ladder's matchmaking (`contests.pairing`) from estimated strengths, and results are
rated by `contests.rating` and `contests.strength`. Matches are played in this process, without clocks; no bot is a
fixed point, as that would give the order away. A ladder is played until each bot has RESULTS (300) results on average.

Results are stored as they come in, so Ctrl-C loses nothing and the next run goes on. SEATS=4 plays one ladder.
"""

import os
from collections.abc import Sequence
from random import Random

from aztlan.local.match import Job, play
from bench._cross_table import CrossTable
from bench._house_ladder_log import HouseLadders, Result, next_tables, out_of_order, ratings, strengths
from bench._steady_bots import NAMES, SteadyPlayer
from bench.figures import figure
from engine.rulesets import ruleset

OPEN = 2
"""Matches that are open at a time: the depth of the demo ladders."""
SAVE_EVERY = 50


def main() -> None:
    """Play each ladder on, then print how many neighbouring rungs are out of order."""
    seat_counts = [int(text) for text in (os.environ.get("SEATS") or "2,3,4").split(",")]
    matches = int(os.environ.get("RESULTS") or 300) * len(NAMES)
    ladders = HouseLadders.load(NAMES)
    for seats in seat_counts:
        log = ladders.of(seats)
        try:
            while len(log) * seats < matches:
                log += play_tables(seats, log)
                if len(log) % SAVE_EVERY == 0:
                    ladders.save()
        finally:
            ladders.save()
        print_order(seats, log)
    CrossTable.load(NAMES).save()


def play_tables(seats: int, log: Sequence[Result]) -> list[Result]:
    """Play the matches that the ladder would open after this log."""
    random = Random(f"games of the house ladder {seats} {len(log)}")
    results = []
    for table in next_tables(len(NAMES), seats, log, OPEN):
        players = tuple(SteadyPlayer(NAMES[bot]) for bot in table)
        outcome = play(Job(players, random.randbytes(32), ruleset()))
        results.append([[bot, place] for bot, place in zip(table, outcome.placements, strict=True)])
    return results


def print_order(seats: int, log: Sequence[Result]) -> None:
    """Print each bot's numbers, and how many neighbours do not rise."""
    elos, known = ratings(log), strengths(log)
    for bot, name in enumerate(NAMES):
        one = known.known(bot)
        print(
            f"{seats} seats, {name}: Elo {elos[bot].rating:.0f}, strength {one.mean:.0f}"
            f" ({one.low:.0f} to {one.high:.0f}), {elos[bot].games} results"
        )
    bots = range(len(NAMES))
    wrong = out_of_order([elos[bot].rating for bot in bots])
    figure(f"{seats} seats, neighbouring rungs out of order by Elo", wrong, "of 7", at_most=0)
    wrong = out_of_order([known.known(bot).mean for bot in bots])
    figure(f"{seats} seats, neighbouring rungs out of order by strength", wrong, "of 7", at_most=0)


if __name__ == "__main__":
    main()
