"""Worlds that a bot cannot tell apart, as a batch."""

from random import Random
from typing import Protocol

from aztlan.bot import Match
from aztlan.kernel import Batch, determinize
from aztlan.rules import Observation


class Thinker(Protocol):
    """A bot with dice."""

    match: Match
    random: Random


def deal_worlds(bot: Thinker, observation: Observation, number: int) -> Batch:
    """Full games that the observation allows, in which it is the observing seat's decision.

    Power cards are chosen at once, so seats before this one may have yet to choose: here they do, at random.
    """
    seeds = [bot.random.getrandbits(64) for _ in range(number)]
    worlds = determinize([observation], seeds, bot.match.board, bot.match.rules)
    while worlds.to_act()[0] != observation.seat:
        worlds.step([bot.random.choice(worlds.legal_actions(i)) for i in range(number)])
    return worlds
