"""Sampled worlds that a bot cannot tell apart, as a batch."""

from random import Random
from typing import Protocol

from aztlan.bot import Match
from aztlan.kernel import Batch, determinize
from aztlan.rules import Observation


class Thinker(Protocol):
    """A bot with a random number generator."""

    match: Match
    random: Random


def deal_worlds(bot: Thinker, observation: Observation, number: int) -> Batch:
    """Sample full games that are consistent with the observation, at the observing seat's decision.

    Power cards are chosen simultaneously, so earlier seats may not have chosen yet: they choose at random.
    """
    seeds = [bot.random.getrandbits(64) for _ in range(number)]
    worlds = determinize([observation], seeds, bot.match.board, bot.match.rules)
    while worlds.to_act()[0] != observation.seat:
        worlds.step([bot.random.choice(worlds.legal_actions(i)) for i in range(number)])
    return worlds
