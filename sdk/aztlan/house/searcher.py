"""Determinized Monte Carlo: play the age out many times, in many sampled worlds."""

import random
from collections.abc import Sequence
from itertools import count
from time import monotonic

from aztlan.house.one_step import points_by_type
from aztlan.house.warlord import Warlord
from aztlan.rules import (
    CHOOSING,
    CONFLICT,
    DEVELOPMENT,
    EAGLE,
    NAME_TYPE,
    OVER,
    PASS,
    PLACE,
    SCORING,
    STEP_MAIN,
    Observation,
    State,
    index_of,
)

CANDIDATES = 5
"""How many actions are searched: the best by the warlord's evaluation."""


class Searcher(Warlord):
    """Of the warlord's favourites, it takes the one after which the age went best on average.

    It thinks for `seconds` per decision, less when its clock runs low; or for a fixed number of `worlds`,
    which makes it deterministic.
    """

    name = "searcher"

    def __init__(self, seed: int = 0, seconds: float = 0.05, worlds: int | None = None) -> None:
        super().__init__(seed)
        self.seconds = seconds
        self.worlds = worlds

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:
        """Try the favourites in one world after another while there is time; each in the same worlds."""
        deadline = monotonic() + min(self.seconds, self.time_left / 20, self.time_limit / 4)
        if observation.phase == CHOOSING:
            return super().choose(observation, legal)
        values = self.rate(observation, legal)
        best = sorted(zip(values, legal, strict=True), key=lambda pair: -pair[0])[:CANDIDATES]
        totals = {action: 0.0 for _, action in best}
        for worlds in count(1):
            self.try_world(observation, totals)
            if worlds == self.worlds or (self.worlds is None and monotonic() > deadline):
                break
        self.note(f"{worlds} worlds, {max(totals.values()) / worlds:.1f} points ahead")
        return max(totals, key=lambda action: totals[action])

    def try_world(self, observation: Observation, totals: dict[int, float]) -> None:
        """Play the age out after each action, from one sampled state and with the same luck."""
        world, luck = self.sample(observation), self.random.random()
        for action in totals:
            state = world.clone()
            state.apply(action)
            play_age(state, observation.age, random.Random(luck))
            totals[action] += self.value(state, observation.seat, observation.age)


def play_age(state: State, age: int, dice: random.Random) -> None:
    """Play the age out: every seat grows at random next to its pawns, fights wherever it can, and scores."""
    board, everywhere = state.board, (1 << state.board.size) - 1
    reach = [within_reach(state, seat) for seat in range(state.seats)]
    while state.age == age and state.phase != OVER:
        if state.phase == DEVELOPMENT and state.step == STEP_MAIN:
            seat = state.actor
            among = reach[seat] or everywhere
            t = board.eagles.pick(among, int(dice.random() * 2**30)) - EAGLE  # any territory of the set
            state.apply(PLACE + t)
            reach[seat] |= 1 << t | board.adjacent[t]
        elif state.phase == CONFLICT:
            legal = state.legal_actions()  # battles stand before all but a pass
            state.apply(legal[1] if legal[0] == PASS else legal[0])
        elif state.phase == SCORING and state.legal_actions()[0] != PASS:
            points = points_by_type(state, state.actor)
            state.apply(NAME_TYPE + points.index(points[-1]))
        else:
            state.apply(PASS)


def within_reach(state: State, seat: int) -> int:
    """Return the territories where a seat is present, and their neighbours."""
    left = reach = state.present[state.side_of[seat]]
    while left:
        bit = left & -left
        left ^= bit
        reach |= state.board.adjacent[index_of(bit)]
    return reach
