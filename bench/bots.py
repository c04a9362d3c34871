"""How strong are the house bots beside each other? Writes the cross table that the documentation shows.

Duplicate play: one seed is played over every fair arrangement of two kinds at the table (three seats: two of
one and one of the other, in all six ways; four seats: two of each, in all six ways), and the whole set is one
result: the share of opponents of the other kind that a bot placed before. The interval comes from the spread of
the sets. Searching bots make a fixed number of simulations, so the table is always the same.

Each set is stored as soon as it is played, so Ctrl-C loses nothing and the next run goes on. SETS=24 plays more
of them; SEATS=4 and BOTS=warlord,searcher play a part.
"""

import os
from itertools import combinations, permutations, product
from statistics import fmean

from aztlan.local.contest import Seating, duplicate_sets, play_all
from aztlan.local.player_results import elo, interval, standings
from aztlan.local.players import HousePlayer
from bench._cross_table import CrossTable
from bench._steady_bots import NAMES, SteadyPlayer
from bench.figures import figure
from engine.rulesets import ruleset

SEEDS = "rungs"
"""The sets' seeds follow from this name. No bot's settings were chosen by them."""


def arrangements(one: HousePlayer, other: HousePlayer, seats: int) -> list[Seating]:
    """All ways to seat as many of the one as of the other; with three seats, one more of either."""
    halves = {seats // 2, seats - seats // 2}
    tables = {table for half in halves for table in permutations([one] * half + [other] * (seats - half))}
    return sorted(tables, key=lambda table: [player.name for player in table])


def play_set(later: str, earlier: str, seats: int, number: int, processes: int) -> float:
    """Play one duplicate set; return the share of the first bot."""
    seatings = arrangements(SteadyPlayer(later), SteadyPlayer(earlier), seats)
    games = duplicate_sets(seatings, number + 1, SEEDS, ruleset())[number]
    outcomes = play_all(games, processes)
    return next(one.beaten for one in standings([outcomes]) if one.name == later)


def main() -> None:
    """Play neighbours first, then all others, and print how surely each rung is above the one before."""
    sets, processes = int(os.environ.get("SETS") or 12), int(os.environ.get("JOBS") or os.cpu_count() or 1)
    seat_counts = [int(text) for text in (os.environ.get("SEATS") or "2,3,4").split(",")]
    wanted = (os.environ.get("BOTS") or ",".join(NAMES)).split(",")
    table = CrossTable.load(NAMES)
    pairs = [(b, a) for a, b in combinations([name for name in NAMES if name in wanted], 2)]
    neighbours = [pair for pair in pairs if are_neighbours(*pair)]
    for group in (neighbours, [pair for pair in pairs if pair not in neighbours]):
        for number, (later, earlier), seats in product(range(sets), group, seat_counts):
            shares = table.of(later, earlier, seats)
            if len(shares) == number:
                shares.append(play_set(later, earlier, seats, number, processes))
                table.save()
    table.save()
    for later, earlier in pairs:
        for seats in seat_counts:
            print_pair(later, earlier, seats, table.of(later, earlier, seats))


def are_neighbours(later: str, earlier: str) -> bool:
    """Whether one is the next rung above the other."""
    return NAMES.index(later) == NAMES.index(earlier) + 1


def print_pair(later: str, earlier: str, seats: int, shares: list[float]) -> None:
    """Print one result; neighbours are to be apart."""
    low, high = interval(shares)
    if low is None or high is None:
        return
    name = f"{later} against {earlier}, {seats} seats"
    figure(f"{name}, ranks ahead", 100 * fmean(shares), "%")
    figure(
        f"{name}, lower bound of that",
        100 * low,
        "%",
        at_least=50 if are_neighbours(later, earlier) else None,
    )
    figure(f"{name}, Elo difference (at least {elo(low):.0f}, at most {elo(high):.0f})", elo(fmean(shares)))


if __name__ == "__main__":
    main()
