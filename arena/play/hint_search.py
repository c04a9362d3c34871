"""The search behind hints: which action wins most often in worlds that a seat cannot tell from its own.

It gets a seat's observation and nothing else of the game, so a hint can tell nothing that the seat may not
know. Each candidate is tried in the same sampled worlds with the same luck, and every game is played to its
end in the kernel's quick way. After each round the weaker half of the candidates is dropped. No Django here:
the helper process of `arena.offload` runs it.
"""

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from engine.boardfile import load_board
from engine.kernel import Batch, determinize
from engine.kernel.judge import FEATURES
from engine.observation import FIELDS, Observation
from engine.position import LAST_AGE
from engine.rulesets import Ruleset

GAMES_PER_ROUND: Final = 2048
FEWEST_WORLDS: Final = 16
ROUNDS: Final = 8
FINALISTS: Final = 3
"""So many candidates stay to the end, so that the second best is known as well."""
A_POINT: Final = 0.004
"""What a point of the lead counts beside a share of wins: it decides where all actions win, or none."""


@dataclass(slots=True)
class HintCandidate:
    """An action and what came of it so far."""

    action: int
    games: int = 0
    wins: int = 0
    lead: int = 0

    @property
    def chance(self) -> float:
        return self.wins / self.games

    @property
    def value(self) -> float:
        return self.chance + A_POINT * self.lead / self.games


@dataclass(frozen=True, slots=True)
class Hint:
    """The best action with its chance to win, the second best, and the chance of an average action."""

    action: int
    chance: float
    before: float
    second: int | None
    second_chance: float
    games: int


def find_hint(
    seen: Observation,
    legal: Sequence[int],
    rules: Ruleset,
    board_id: str,
    seconds: float,
    now: Callable[[], float] = monotonic,
) -> Hint:
    """Search for at most about this long; the same observation gives the same hint unless time runs out."""
    deadline = now() + seconds
    chance = random.Random(repr([getattr(seen, name) for name in FIELDS]))
    candidates = [HintCandidate(action) for action in legal]
    left, before = candidates, 0.0
    for number in range(ROUNDS):
        count = max(FEWEST_WORLDS, GAMES_PER_ROUND // len(left))
        try_out(sample_worlds(seen, rules, board_id, count, chance), seen, left, chance.getrandbits(32))
        if number == 0:
            before = sum(one.chance for one in candidates) / len(candidates)
        if now() > deadline or len(legal) == 1:
            break
        left = sorted(left, key=lambda one: -one.value)[: max(FINALISTS, len(left) // 2)]
    best, *others = sorted(left, key=lambda one: -one.value)
    second = others[0] if others else None
    return Hint(
        best.action,
        best.chance,
        min(before, best.chance),  # the two come from different numbers of games
        second.action if second else None,
        second.chance if second else 0.0,
        sum(one.games for one in candidates),
    )


def sample_worlds(
    seen: Observation, rules: Ruleset, board_id: str, count: int, chance: random.Random
) -> Batch:
    """Deal full games that fit the observation. Seats that choose their power card first choose any."""
    seeds = [chance.getrandbits(64) for _ in range(count)]
    worlds = determinize([seen], seeds, load_board(board_id), rules)
    while worlds.to_act()[0] != seen.seat:
        worlds.step([chance.choice(worlds.legal_actions(i)) for i in range(count)])
    return worlds


def try_out(worlds: Batch, seen: Observation, candidates: Sequence[HintCandidate], luck: int) -> None:
    """Play every candidate in every world to the end, and note how the seat fared."""
    for candidate in candidates:
        games = worlds.clone()
        games.step(array("q", [candidate.action]) * games.size)
        for age in range(seen.age, LAST_AGE + 1):
            games.end_age(luck + age)
        candidate.games += games.size
        candidate.wins += sum(games.placements(game)[seen.seat] == 1 for game in range(games.size))
        candidate.lead += sum(leads(games, seen.seat))


def leads(games: Batch, seat: int) -> Iterator[int]:
    """Yield by how many points the seat is ahead of the best other one, in each game."""
    width = len(FEATURES)
    found = array("i", bytes(4 * games.size * games.seats * width))
    games.judge_into(found)
    points = found[FEATURES.index("score") :: width]
    for at in range(0, len(points), games.seats):
        scores = list(points[at : at + games.seats])
        own = scores.pop(seat)
        yield own - max(scores)
