"""Whether what ladders say is true: intervals, statements, tests and matchmaking on seasons of known truth.

`QUICK=1` plays fewer seasons: it shows that everything runs, and its shares are coarse.
"""

import os
import time
from collections.abc import Callable
from random import Random
from statistics import NormalDist

import numpy as np

from bench._choosing import by_information, by_nearness, results_needed
from bench._promoting import PLAN, fixed_size, run_alone, share_arena
from bench._seasons import Play, Strength, draw_strengths, play_duplicates, play_game, play_season
from bench._watching import World, watch
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
MOST_BEFORE = 600 if QUICK else 24_000
"""Results up to which the earlier rule is followed."""
TESTS = 40 if QUICK else 2000


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
    duplicates()
    watch_seasons()
    promote()
    choose()


Kind = Callable[[list[float]], Strength]


def constant(truth: list[float]) -> Strength:
    """the model is right"""
    return lambda bot, _other, _over: truth[bot]


def improving(truth: list[float]) -> Strength:
    """every fourth bot gains 100 points halfway (the truth is its mean)"""
    return lambda bot, _other, over: truth[bot] + (0 if bot % 4 else 100 * (over >= 0.5) - 50)


def intransitive(truth: list[float]) -> Strength:
    """each bot has a third of the others that it does 100 points better against"""
    return lambda bot, other, _over: truth[bot] + (100 if (other - bot) % 3 == 1 else 0)


def coverage(
    seats: int, games: int, kind: Kind, play: Play = play_game, stretch: float = 1.0
) -> tuple[float, int]:
    """Return the share of bots whose interval holds the truth at a season's end, and how many there were."""
    held = total = 0
    for season in range(SEASONS[games]):
        random = Random(f"{seats} {games} {season}")
        truth = draw_strengths(BOTS, random)
        found = estimate_tables([play_season(BOTS, seats, games, random, kind(truth), play)])
        for bot, strength in enumerate(truth):
            on_scale = 1500.0 + stretch * (strength - 1500.0)
            held += found.known(bot).low <= on_scale <= found.known(bot).high
            total += 1
    return held / total, total


def duplicates() -> None:
    """A set is decided by several games, so it separates bots more clearly than one game would.

    Its scale is therefore stretched: by how much is measured on long seasons of their own.
    """
    for seats in SEATS:
        stretch = stretch_of_sets(seats)
        figure(f"Elo points of sets per Elo point of single games, {seats} seats", stretch)
        share, bots = coverage(seats, 100, constant, play_duplicates, stretch)
        figure(
            "  95% intervals that hold the truth on the sets' scale, 100 sets", 100 * share, f"% of {bots}"
        )


def stretch_of_sets(seats: int) -> float:
    """Return the slope of estimated strengths over true ones."""
    products = squares = 0.0
    for season in range(SEASONS[400]):
        random = Random(f"stretch {seats} {season}")
        truth = draw_strengths(BOTS, random)
        found = estimate_tables([play_season(BOTS, seats, 400, random, constant(truth), play_duplicates)])
        products += sum((one - 1500) * (found.known(bot).mean - 1500) for bot, one in enumerate(truth))
        squares += sum((one - 1500) ** 2 for one in truth)
    return products / squares


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
    for world in World:
        seen = watch(WATCHED, 10, 100, world, 7)
        name = f"10 bots, 100 results each, {world.value}"
        figure(f"seasons with a false statement, {name}", 100 * seen.false_statements, "%", at_most=5)
        figure("  neighbours in the true order of which it was said", 100 * seen.true_statements, "%")
        figure("  bots whose 95% interval missed the truth at some time", 100 * seen.interval_left, "%")
        figure("  largest difference from contests.strength", seen.difference, "points", at_most=0.1)


def promote() -> None:
    """A set is two games of one seed; the tests are those of `contests.sequential` with its usual plan."""
    alone = {gain: run_alone(gain, TESTS) for gain in (0.0, PLAN.elo1 / 2, PLAN.elo1, 2 * PLAN.elo1)}
    wrong, missed = alone[0.0].promoted, 1 - alone[PLAN.elo1].promoted
    figure("wrong promotions of versions that gain nothing", 100 * wrong, "%", at_most=5)
    figure(f"wrong rejections of versions that gain {PLAN.elo1:.0f} points", 100 * missed, "%", at_most=5)
    planned = fixed_size()
    figure("sets of a test of fixed size with 5% for both", planned)
    for gain, found in alone.items():
        # Between the two hypotheses either answer is right, and no test is quick.
        limits = {} if 0 < gain < PLAN.elo1 else {"at_most": 60.0}
        name = f"sets until decided, a gain of {gain:.0f} points, beside that fixed size"
        figure(name, 100 * found.sets / planned, "%", **limits)
    promote_many(planned, fixed_size(max(wrong, 0.001), max(missed, 0.001)))


def promote_many(planned: float, as_sure: float) -> None:
    """Sixteen candidates share the arena until all are decided, beside a test of fixed size for each."""
    times = max(TESTS // 40, 1)
    for deviation in (PLAN.elo1, 2 * PLAN.elo1):
        gains = [NormalDist(0.0, deviation).inv_cdf((k + 0.5) / 16) for k in range(16)]
        name = f"16 candidates whose gains deviate by {deviation:.0f} points: sets until all are decided"
        figure(name, 100 * share_arena(gains, times).sets / planned, "% of fixed sizes", at_most=50)
    gains = [PLAN.elo1] * 4 + [0.0] * 12
    found, fair = share_arena(gains, times), share_arena(gains, times, by_promise=False)
    # Both gains are where no test can be quicker than 49% (Wald and Wolfowitz), so there is no limit.
    name = f"16 candidates, 4 of which gain {PLAN.elo1:.0f} and 12 nothing: sets until all are decided"
    figure(name, 100 * found.sets / planned, "% of fixed sizes")
    figure("  beside fixed sizes with the error rates measured above", 100 * found.sets / as_sure, "%")
    in_turn = planned * (len(gains) + 1) / 2
    name = "  sets of all until one of the four plays, beside fixed sizes one after another"
    figure(name, 100 * found.wait / in_turn, "%", at_most=50)
    figure("  the same, if all candidates play equally often", 100 * fair.wait / in_turn, "%")


def choose() -> None:
    """Thirty bots: results until the top ten stand in the right order in 90% of ladders."""
    share = 0.5 if QUICK else 0.9
    informed = results_needed(by_information, LADDERS, MOST_RESULTS, share, 1)
    near = results_needed(by_nearness, LADDERS, MOST_BEFORE, share, 1)
    for reached, rule in ((informed, "by information"), (near, "by nearness as before")):
        figure(f"results until the top ten are right, tables {rule}", reached.first)
        figure("  lastingly", reached.lasting)
        figure(f"  ladders that are right after {reached.played:,} results", 100 * reached.share_at_end, "%")
    before = min(near.first, float(near.played))
    figure("  ratio (the latter at least the most that were played)", informed.first / before, at_most=0.7)


if __name__ == "__main__":
    main()
