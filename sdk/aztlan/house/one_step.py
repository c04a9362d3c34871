"""The base of most house bots: try each legal action on a sampled state and take the best one.

Also the functions that they evaluate a state with, such as the points of a seat's domains.
"""

import random
from collections.abc import Sequence

from aztlan.bot import Bot
from aztlan.rules import (
    CHOOSING,
    KINDS,
    LAST_AGE,
    LOWEST_POWER,
    OVER,
    POWER_CARDS,
    Observation,
    State,
    determinize,
    domain_points,
    domains,
)


class OneStep(Bot):
    """Look one action ahead. Subclasses differ in the `value` they give to the resulting state."""

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Return the best action; of several equally good ones, a random one."""
        values = self.rate(observation, legal)
        best = max(values)
        return self.random.choice(
            [action for action, value in zip(legal, values, strict=True) if value == best]
        )

    def rate(self, observation: Observation, legal: Sequence[int]) -> list[float]:
        """Return the value of each legal action."""
        state = self.sample(observation)
        values = []
        for action in legal:
            after = state.clone()
            after.apply(action, observation.seat)
            if observation.phase == CHOOSING:
                values.append(self.card_value(after, observation.seat))
            else:
                values.append(self.value(after, observation.seat, observation.age))
        return values

    def sample(self, observation: Observation) -> State:
        """Return a random state that is consistent with the observation."""
        return determinize(observation, self.random, self.match.board, self.match.rules)

    def value(self, after: State, seat: int, age: int) -> float:
        """Return how good a state is for a seat whose last decision was in this age."""
        raise NotImplementedError

    def card_value(self, after: State, seat: int) -> float:
        """Return how good the power card is that the seat has just chosen."""
        return self.value(after, seat, after.age)


def points_by_type(state: State, seat: int) -> list[int]:
    """Return what the seat's domains score for each territory type, and at index WILD the most of these."""
    found = [(domain, domain.bit_count()) for domain in domains(state, seat)]
    points = []
    for matching in state.board.type_masks:
        total = 0
        for domain, size in found:
            total += domain_points(size, (domain & matching).bit_count())
        points.append(total)
    return [*points, max(points)]


def prospects(state: State, seat: int, age: int, later: float = 0.0) -> float:
    """Return a seat's score, what its power card would add now, and a share of what its domains add later.

    Once the age has been scored, its card no longer counts. Later ages count with an average unused card.
    """
    points = points_by_type(state, seat)
    types = state.board.card_types
    total = float(state.score[seat])
    if state.age == age and state.phase != OVER and state.power[seat]:
        card = state.power[seat] - LOWEST_POWER
        total += points[types[card]] + (state.pending if seat == state.actor else 0)
    if later and state.age < LAST_AGE:
        unused = [points[types[i]] for i in range(POWER_CARDS) if not state.used[seat] >> i & 1]
        total += later * (LAST_AGE - state.age) * sum(unused) / len(unused)
    return total


def cards_in_hand(state: State, seat: int) -> int:
    """Return how many prosperity cards a seat holds."""
    return sum(state.hands[seat * KINDS : (seat + 1) * KINDS])
