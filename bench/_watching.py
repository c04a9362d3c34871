"""Many seasons at once, looked at after every result: how often is something false said?

The posterior is that of `contests.strength`, computed for all seasons side by side (numpy's linear algebra,
one Newton step per result from where the last one ended); the first seasons are compared with it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from contests.posterior import UNIT
from contests.result_log import Floats, Integers, Table
from contests.statements import enough, log_evidence
from contests.strength import PRIOR, estimate_tables

STEPS = 2


@dataclass(frozen=True)
class Watched:
    """Shares of seasons, and of bots."""

    false_statements: float
    """Seasons in which "is above" was ever said of a bot that is not."""
    true_statements: float
    """Pairs of neighbours in the true order of which it was said at the end, where it is true."""
    interval_left: float
    """Bots whose 95% interval excluded the truth at some time."""
    difference: float
    """The largest difference between this posterior and `contests.strength`, in Elo points."""


class World(Enum):
    """What bots are like."""

    DIFFERENT = "all strengths differ"
    EQUAL = "pairs of equal bots"
    IMPROVING = "every fourth bot gains 100 points halfway"
    INTRANSITIVE = "each bot does 100 points better against a third of the others"


def watch(seasons: int, bots: int, games: int, world: World, seed: int) -> Watched:
    """Play seasons of two seats. A statement is false if the bot is not stronger on the mean of its season."""
    random = np.random.default_rng(seed)
    truth = random.normal(0.0, 250.0, (seasons, bots))
    if world is World.EQUAL:
        truth[:, 1::2] = truth[:, ::2]
    numbers = np.arange(bots)
    gain = np.where(numbers % 4, 0.0, 50.0 * (world is World.IMPROVING))
    bonus = 100.0 * ((numbers[None, :] - numbers[:, None]) % 3 == 1) * (world is World.INTRANSITIVE)
    against = bonus - bonus.T
    played = truth
    truth = truth + against.sum(axis=1) / (bots - 1)
    truth -= truth.mean(axis=1, keepdims=True)
    is_above = truth[:, :, None] > truth[:, None, :]
    rows, prior = np.arange(seasons), (UNIT / PRIOR) ** 2
    means = np.zeros((seasons, bots))
    wins = np.zeros((seasons, bots, bots))
    false = np.zeros(seasons, bool)
    left = np.zeros((seasons, bots), bool)
    needed = np.vectorize(least_deviations(enough(bots)))
    said = np.zeros((seasons, bots, bots), bool)
    orders: list[tuple[Integers, Integers]] = []
    for number in range(bots * games // 2):
        head = np.full(seasons, number % bots)
        near = np.maximum(3.0 ** (-np.abs(means - means[rows, head][:, None]) * UNIT / 150), 0.05)
        near[rows, head] = 0.0
        shares = np.cumsum(near, axis=1)
        other = (shares < random.random((seasons, 1)) * shares[:, -1:]).sum(axis=1)
        now = played + gain * (1 if 2 * number >= bots * games // 2 else -1)
        ahead = now[rows, head] - now[rows, other] + against[head, other]
        chance = 1 / (1 + np.exp(-ahead / UNIT))
        has_won = random.random(seasons) < chance
        first, second = np.where(has_won, head, other), np.where(has_won, other, head)
        wins[rows, first, second] += 1
        orders.append((first[:3], second[:3]))
        means, covariance = newton(means, wins, prior)
        variance = np.einsum("sii->si", covariance)
        spreads = np.sqrt(np.maximum(variance[:, :, None] + variance[:, None, :] - 2 * covariance, 1e-12))
        differences = means[:, :, None] - means[:, None, :]
        said = differences > needed(np.round(spreads * UNIT)) * spreads
        false |= (said & ~is_above).any(axis=(1, 2))
        inside = covariance - covariance.mean(axis=2, keepdims=True)
        inside = inside - inside.mean(axis=1, keepdims=True)
        left |= np.abs(means * UNIT - truth) > 1.959964 * UNIT * np.sqrt(np.einsum("sii->si", inside))
    order = np.argsort(truth, axis=1)
    upper, lower = order[:, 1:], order[:, :-1]
    pairs = said[rows[:, None], upper, lower] & is_above[rows[:, None], upper, lower]
    return Watched(
        float(false.mean()),
        float(pairs.sum() / is_above[rows[:, None], upper, lower].sum()),
        float(left.mean()),
        largest_difference(means, orders, bots),
    )


def least_deviations(evidence: float) -> Callable[[float], float]:
    """Return how many deviations a difference must have for this evidence, as a function of its deviation."""
    known: dict[float, float] = {}

    def needed(spread: float) -> float:
        if spread not in known:
            low, high = 0.0, 50.0
            while high - low > 1e-6:
                middle = (low + high) / 2
                low, high = (
                    (low, middle) if log_evidence(middle * spread, spread) >= evidence else (middle, high)
                )
            known[spread] = high
        return known[spread]

    return needed


def newton(means: Floats, wins: Floats, prior: float) -> tuple[Floats, Floats]:
    covariance: Floats = np.zeros_like(wins)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(means[:, None, :] - means[:, :, None]))
        games = wins + wins.transpose(0, 2, 1)
        gradient = (wins - games * chances).sum(axis=2) - prior * means
        weights = games * chances * (1 - chances)
        curvature = -weights
        diagonal = np.arange(means.shape[1])
        curvature[:, diagonal, diagonal] += weights.sum(axis=2) + prior
        covariance = np.asarray(np.linalg.inv(curvature), np.float64)
        means = means + np.clip(np.einsum("sij,sj->si", covariance, gradient), -1.0, 1.0)
    return means, covariance


def largest_difference(means: Floats, orders: list[tuple[Integers, Integers]], bots: int) -> float:
    found = 0.0
    for season in range(3):
        pairs = np.array([[first[season], second[season]] for first, second in orders])
        table = Table(
            np.arange(1, len(pairs) + 1), pairs, np.full(pairs.shape, [1, 2]), np.full(pairs.shape, np.nan)
        )
        known = estimate_tables([table])
        ours = np.array([known.known(bot).mean - 1500.0 for bot in range(bots)])
        found = max(found, float(np.abs(ours - means[season] * UNIT).max()))
    return found
