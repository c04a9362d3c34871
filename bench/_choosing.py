"""How many results a ladder needs until its top ten stand in the right order, by how its tables are chosen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from bench._seasons import gumbel, nearness, place
from contests.pairing import Candidate, make_tables
from contests.result_log import Table
from contests.strength import Strengths, estimate_tables

BOTS = 30
TOP = 10
AT_ONCE = 10
"""Tables that are made at a time: the depth of a queue."""
CHECK_EVERY = 120
SECONDS_PER_RESULT = 6.0

Choose = Callable[[list[Candidate], Random], list[tuple[int, int]]]


def by_information(candidates: list[Candidate], random: Random) -> list[tuple[int, int]]:
    return [(one.bot, other.bot) for one, other in make_tables(candidates, 2, AT_ONCE, random)]


def by_nearness(candidates: list[Candidate], random: Random) -> list[tuple[int, int]]:
    """The rule before: the least certain or longest waiting bots, and opponents near to them."""
    urgency = {one.bot: one.sigma / 500 + one.waited / 600 for one in candidates}
    pairs = []
    for _ in range(AT_ONCE):
        head = max(candidates, key=lambda one: (urgency[one.bot], random.random()))
        others = [one for one in candidates if one.bot != head.bot]
        [other] = random.choices(others, [nearness(one.rating - head.rating) for one in others])
        pairs.append((head.bot, other.bot))
        for one in (head, other):
            urgency[one.bot] -= 1
    return pairs


def draw_truth(random: Random) -> list[float]:
    """Thirty bots from the top, with gaps of 15 to 90 points, so that there is an order to find."""
    truth = [1500.0]
    while len(truth) < BOTS:
        truth.append(truth[-1] - random.uniform(15, 90))
    shift = 1500 - sum(truth) / BOTS
    return [one + shift for one in truth]


def play_ladder(choose: Choose, most: int, random: Random) -> Iterator[bool]:
    """Play one ladder; say after each `CHECK_EVERY` results whether the top ten stand as they should."""
    truth = draw_truth(random)
    last = [0.0] * BOTS
    known = Strengths({}, {}, None)
    pairs: list[tuple[int, int]] = []
    places: list[list[int]] = []
    for number in range(AT_ONCE, most + 1, AT_ONCE):
        now = number * SECONDS_PER_RESULT
        candidates = [
            Candidate(bot, frozenset({bot}), known.known(bot).mean, known.known(bot).own, now - last[bot])
            for bot in range(BOTS)
        ]
        for pair in choose(candidates, random):
            pairs.append(pair)
            places.append(place([truth[bot] + gumbel(random) for bot in pair]))
            for bot in pair:
                last[bot] = now
        if number % CHECK_EVERY == 0:
            shape = (number, 2)
            table = Table(np.arange(1, number + 1), np.array(pairs), np.array(places), np.full(shape, np.nan))
            known = estimate_tables([table])
            order = sorted(range(BOTS), key=lambda bot: -known.known(bot).mean)
            yield order[:TOP] == list(range(TOP))


@dataclass(frozen=True)
class Reached:
    """When a share of ladders had the right top ten, in results; infinite where it was not reached."""

    first: float
    lasting: float
    """From here on at least this share had it at every look."""
    share_at_end: float
    played: int


def results_needed(choose: Choose, ladders: int, most: int, share: float, seed: int) -> Reached:
    """Play ladders side by side, up to `most` results each."""
    playing = [play_ladder(choose, most, Random(seed + number)) for number in range(ladders)]
    shares = [sum(looks) / ladders for looks in zip(*playing, strict=True)]
    enough = [one >= share for one in shares]
    unlasting = max((check for check, right in enumerate(enough) if not right), default=-1) + 1
    return Reached(
        (enough.index(True) + 1) * CHECK_EVERY if any(enough) else float("inf"),
        (unlasting + 1) * CHECK_EVERY if unlasting < len(enough) else float("inf"),
        shares[-1],
        len(shares) * CHECK_EVERY,
    )
