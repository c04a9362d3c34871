"""Results without luck: do they have the same mean as the results, and how much less do they vary?

20,001 games of house bots that the values were not fitted to: 900 at mixed tables of bots that play well, and
the others of the one that plays at random, which take little time. `QUICK=1` plays 300.
"""

import os
from math import sqrt
from statistics import fmean, variance

from bench._house_games import MIXED, house_games
from bench.figures import figure
from engine.replay.luck import luck_of, value_functions

GAMES = (20, 80) if os.environ.get("QUICK") else (300, 6367)
"""For each number of seats: at mixed tables, and of random play."""


def main() -> None:
    value = value_functions()[-1]
    everything: list[tuple[float, float]] = []
    for names, games in zip((MIXED, ("random",)), GAMES, strict=True):
        for seats, table in value.tables.items():
            pairs = []
            for results, _, events in house_games("bench", games, seats, names):
                # One seat per game: those of a game depend on each other.
                pairs.append((results[0], luck_of(events, table)[0]))
            tell(f"{games:,} games of {', '.join(sorted(set(names)))} with {seats} seats", pairs)
            everything += pairs
    tell(f"all {len(everything):,} games", everything)


def tell(name: str, pairs: list[tuple[float, float]]) -> None:
    """Print how far the means are apart, and how much of the variance is gone. Pairs: (result, its luck)."""
    results, lucks = [one for one, _ in pairs], [luck for _, luck in pairs]
    without = [one - luck for one, luck in pairs]
    figure(f"mean result, {name}", 100 * fmean(results), "%")
    figure("  without luck", 100 * fmean(without), "%")
    errors = abs(fmean(lucks)) / sqrt(variance(results) / len(pairs))
    figure("  apart, in standard errors of the mean result", errors, at_most=2)
    figure("  apart, in standard errors of the luck", abs(fmean(lucks)) / sqrt(variance(lucks) / len(lucks)))
    figure("  variance that is gone", 100 * (1 - variance(without) / variance(results)), "%")


if __name__ == "__main__":
    main()
