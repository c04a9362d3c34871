"""Decisions judged over what the seat knew, in worlds that it could not tell apart.

Each action is tried in the same worlds. There the age is played out, every action with the same luck, and the
position is judged by the warlord's evaluation, in points of lead over the others, as the house bot `searcher`
does; and by the network of `champion`, in shares of a win. Points rank the actions: they still differ when a
game is decided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from arena.analysis.evaluation import Numbers, foretold, leads
from arena.analysis.knowledge import after_action, results, sample_worlds
from engine.kernel import Batch
from engine.state import State

CANDIDATES = 5
"""How many of the best actions at first sight are looked at closely, besides the chosen one."""
FIRST_SHARE = 4
"""For the first sight of all actions, one of this many worlds is used."""
FEWEST_WORLDS = 4


@dataclass(frozen=True)
class TriedAction:
    """An action, what it is worth in points of lead, and in shares of a win."""

    action: int
    points: float
    share: float


@dataclass(frozen=True)
class Judgement:
    """A decision: the candidates, best first, among them the chosen action."""

    candidates: tuple[TriedAction, ...]
    chosen: int
    first_rank: int
    """The place of the chosen action at first sight, from 0."""

    @property
    def own(self) -> TriedAction:
        return next(one for one in self.candidates if one.action == self.chosen)

    @property
    def best(self) -> TriedAction:
        return self.candidates[0]

    @property
    def loss(self) -> float:
        """By how many points the chosen action is worse than the best one."""
        return self.best.points - self.own.points

    @property
    def lead(self) -> float:
        """By how many points the best action is better than the next."""
        return self.best.points - self.candidates[1].points


def judge_decision(state: State, chosen: int, worlds: int, dice: Random) -> Judgement:
    """Judge the acting seat's decision between its legal actions, at least two."""
    seat, legal = state.to_act(), state.legal_actions()
    first = sample_worlds(state, seat, max(FEWEST_WORLDS, worlds // FIRST_SHARE), dice)
    sight = dict(zip(legal, _worths(first, legal, seat, dice)[0], strict=True))
    ranked = sorted(legal, key=lambda action: -sight[action])
    close = ranked[:CANDIDATES] if chosen in ranked[:CANDIDATES] else [*ranked[:CANDIDATES], chosen]
    points, shares = _worths(sample_worlds(state, seat, worlds, dice), close, seat, dice)
    found = [TriedAction(*one) for one in zip(close, map(float, points), map(float, shares), strict=True)]
    found.sort(key=lambda one: (-one.points, one.action != chosen))
    return Judgement(tuple(found), chosen, ranked.index(chosen))


def _worths(worlds: Batch, actions: Sequence[int], seat: int, dice: Random) -> tuple[Numbers, Numbers]:
    """Return the mean points and shares of each action, all in the same worlds and with the same luck."""
    luck = dice.getrandbits(32)
    points, shares = [], []
    for action in actions:
        after = after_action(worlds, action)
        after.end_age(luck)
        points.append(leads(after)[:, seat].mean())
        share = (foretold(after)[:, seat] + 1) / 2
        for game, actor in enumerate(after.to_act()):
            if actor < 0:
                share[game] = results(after.placements(game))[seat]
        shares.append(share.mean())
    return np.array(points), np.array(shares)
