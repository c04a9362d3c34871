"""Whether what ladders say is true: intervals, statements, tests and matchmaking on seasons of known truth.

`QUICK=1` plays fewer seasons: it shows that everything runs, and its shares are coarse.
"""

import os
import time
from random import Random

import numpy as np

from bench._choosing import by_information, by_nearness, results_needed
from bench._promoting import PLAN, sets_alone, sets_among_many, wrong_promotions
from bench._seasons import Strength, draw_strengths, play_season
from bench._watching import watch
from bench.figures import figure
from contests.result_log import Table
from contests.strength import estimate_tables

QUICK = bool(os.environ.get("QUICK"))
BOTS = 30
SEATS = (2, 3, 4)
GAMES = (20, 100, 400)
SEASONS = {20: 8, 100: 4, 400: 2} if QUICK else {20: 70, 100: 40, 400: 20}
WATCHED = 50 if QUICK else 1000
LADDERS, MOST_RESULTS = (4, 600) if QUICK else (20, 9000)
TESTS = 40 if QUICK else 400


def main() -> None:
    time_large_log()
    for seats in SEATS:
        for games in GAMES:
            share, bots = coverage(seats, games, constant)
            name = f"95% intervals that hold the truth, {seats} seats, {games} results per bot"
            limits = {} if QUICK else {"at_least": 93.5, "at_most": 96.5}  # so few bots would prove nothing
            figure(name, 100 * share, f"% of {bots}", **limits)
    for kind in (improving, intransitive):
        for seats in SEATS:
            share, bots = coverage(seats, 100, kind)
            figure(f"the same, {kind.__doc__}, {seats} seats, 100 results", 100 * share, f"% of {bots}")
    watch_seasons()
    promote()
    choose()


def constant(truth: list[float]) -> Strength:
    """the model is right"""
    return lambda bot, _other, _over: truth[bot]


def improving(truth: list[float]) -> Strength:
    """every fourth bot gains 100 points halfway (the truth is its mean)"""
    return lambda bot, _other, over: truth[bot] + (0 if bot % 4 else 100 * (over >= 0.5) - 50)


def intransitive(truth: list[float]) -> Strength:
    """each bot has a third of the others that it does 100 points better against"""
    return lambda bot, other, _over: truth[bot] + (100 if (other - bot) % 3 == 1 else 0)


def coverage(seats: int, games: int, kind: object) -> tuple[float, int]:
    """Return the share of bots whose interval holds the truth at a season's end, and how many there were."""
    held = total = 0
    for season in range(SEASONS[games]):
        random = Random(f"{seats} {games} {season}")
        truth = draw_strengths(BOTS, random)
        found = estimate_tables([play_season(BOTS, seats, games, random, kind(truth))])  # type: ignore[operator]
        for bot, strength in enumerate(truth):
            held += found.known(bot).low <= strength <= found.known(bot).high
            total += 1
    return held / total, total


def time_large_log() -> None:
    """Estimate a season of 20,000 bots and 1,000,000 results (with QUICK, a tenth of both)."""
    bots, results = (2000, 100_000) if QUICK else (20_000, 1_000_000)
    random = np.random.default_rng(1)
    truth = random.normal(1500.0, 250.0, bots)
    for seats in (2, 4):
        first = random.integers(0, bots, (results, 1))
        tables = (first + np.cumsum(random.integers(1, bots // seats, (results, seats)), axis=1)) % bots
        form = truth[tables] + random.gumbel(0.0, 400 / np.log(10), tables.shape)
        places = 1 + (form[:, None, :] > form[:, :, None]).sum(axis=2)
        table = Table(np.arange(1, results + 1), tables, places, np.full(tables.shape, np.nan))
        began = time.process_time()
        found = estimate_tables([table])
        took = time.process_time() - began
        name = f"estimating {bots:,} bots from {results:,} results of {seats} seats"
        figure(name, took, "s of processor time", at_most=30)
        shift = 1500.0 - truth.mean()
        held = [found.known(bot).low <= truth[bot] + shift <= found.known(bot).high for bot in range(bots)]
        figure(
            "  intervals that hold the truth", 100 * float(np.mean(held)), "%", at_least=93.5, at_most=96.5
        )


def watch_seasons() -> None:
    """Look after every result."""
    for equal, name in ((False, "all strengths differ"), (True, "pairs of equal bots")):
        seen = watch(WATCHED, 10, 100, equal, 7)
        name = f"10 bots, 100 results each, {name}"
        figure(f"seasons with a false statement, {name}", 100 * seen.false_statements, "%", at_most=5)
        figure("  neighbours in the true order of which it was said", 100 * seen.true_statements, "%")
        figure("  bots whose 95% interval missed the truth at some time", 100 * seen.interval_left, "%")
        figure("  largest difference from contests.strength", seen.difference, "points", at_most=0.1)


def promote() -> None:
    """A set is two games of one seed; the tests are those of `contests.sequential` with its usual plan."""
    figure("wrong promotions of versions that gain nothing", 100 * wrong_promotions(TESTS), "%", at_most=5)
    for gain in (PLAN.elo0, PLAN.elo1, 2 * PLAN.elo1):
        share = sets_alone(gain, TESTS // 4)
        name = f"sets until decided, a gain of {gain:.0f} points, beside a fixed size of the same power"
        figure(name, 100 * share, "%", at_most=60)
    share = sets_among_many([PLAN.elo1] * 4 + [0.0] * 12, max(TESTS // 16, 1))
    figure(
        f"sets until the first of 16 is promoted, 4 of which gain {PLAN.elo1:.0f}, beside fixed sizes for all",
        100 * share,
        "%",
        at_most=50,
    )


def choose() -> None:
    """Thirty bots: results until the top ten stand in the right order in 90% of ladders."""
    share = 0.5 if QUICK else 0.9
    informed = results_needed(by_information, LADDERS, MOST_RESULTS, share, 1)
    near = results_needed(by_nearness, LADDERS, MOST_RESULTS, share, 1)
    figure("results until the top ten are right, tables by information", informed)
    figure("results until the top ten are right, tables by nearness as before", near)
    reached = near if near < float("inf") else float(MOST_RESULTS)
    figure("  ratio (the latter at least the most that were played)", informed / reached, at_most=0.7)


if __name__ == "__main__":
    main()
