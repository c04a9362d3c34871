"""Worlds that a seat cannot tell apart, and what they are worth to each seat.

A value is the share of its opponents that a seat can expect to place before, from 0 (last) to 1 (first): the
unit of `engine.replay.luck`. It is predicted by the network of the house bot `champion`; at the end of a game
it is what happened. Everything here is a pure function without Django: another process can compute it.
"""

from array import array
from collections.abc import Sequence
from random import Random

from arena.analysis.evaluation import Numbers, foretold
from engine.kernel import Batch, determinize
from engine.observation import HIDDEN, observe, visible_actor
from engine.state import State


def dice_for(seed: str, *about: object) -> Random:
    """Return the generator for one purpose: the same for the same seed in every process."""
    return Random(" ".join([seed, *map(str, about)]))


def sample_worlds(state: State, seat: int, count: int, dice: Random) -> Batch:
    """Return full games that the seat cannot tell from this one."""
    seeds = [dice.getrandbits(64) for _ in range(count)]
    return determinize([observe(state, seat)], seeds, state.board, state.rules)


def values(batch: Batch) -> Numbers:
    """Return the value of each game for each seat: games x seats. In each game they add up to seats / 2."""
    found = (foretold(batch) + 1) / 2
    found += (0.5 - found.mean(axis=1))[:, None]
    for game, actor in enumerate(batch.to_act()):
        if actor < 0:
            found[game] = results(batch.placements(game))
    return found


def known_value(state: State, seat: int, worlds: int, dice: Random) -> float | None:
    """Return what a seat could expect by what it knew; None while it may not know whose decision is open."""
    if state.is_over():
        return results(state.placements())[seat]
    if visible_actor(state, seat) == HIDDEN:
        return None
    return float(values(sample_worlds(state, seat, worlds, dice))[:, seat].mean())


def results(placements: Sequence[int]) -> list[float]:
    """Return the share of its opponents that each seat placed before."""
    last = len(placements)
    return [(last - place) / (last - 1) for place in placements]


def after_action(worlds: Batch, action: int) -> Batch:
    """Return all worlds after the same action."""
    after = worlds.clone()
    after.step(array("q", [action] * worlds.size))
    return after
