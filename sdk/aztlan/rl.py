"""Aztlán as a PettingZoo AEC environment. Needs the extra `rl`: `pip install '.[rl]'`.

    from aztlan.rl import env
    game = env(seats=4)

Agents are `seat_0`, `seat_1` and so on. An observation is a dict: `observation`, numbers that hold exactly
what the seat may know, and `action_mask`. Action i stands for `game.unwrapped.actions[i]`. Rewards come at
the end: 1 for the first place, -1 for the last, evenly between.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from aztlan.moves import action_text
from engine.actions import all_actions
from engine.board import Board
from engine.boardfile import load_board
from engine.observation import Observation, observe
from engine.position import PHASE_NAMES, POWER_CARDS
from engine.randomness import SEED_BYTES
from engine.rulesets import ruleset
from engine.state import State

LARGEST = 10_000
"""No number of an observation is larger."""
_NUMBERS = (
    "seat", "seats", "age", "phase", "step", "to_act", "own_power", "deck_size", "battle", "battle_by",
    "pending", "raft_all",
)  # fmt: skip
_LISTS = (
    "order", "side_of", "pawns", "reserve", "removed", "pool", "scores", "arrivals", "power", "chosen",
    "hand", "hand_sizes", "discard",
)  # fmt: skip


def env(seats: int = 4, edition: str = "english", render_mode: str | None = None) -> AECEnv:
    """The environment with PettingZoo's usual guards: an illegal action ends the game as a loss."""
    game: AECEnv = RawEnv(seats, edition, render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(game))


class RawEnv(AECEnv, EzPickle):
    """The environment itself. Power cards, which seats choose at once, are asked for one by one, unseen."""

    metadata = {"name": "aztlan_v2", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  as PettingZoo has it

    def __init__(self, seats: int = 4, edition: str = "english", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, seats, edition, render_mode)
        self.render_mode = render_mode
        self.board: Board = load_board()
        self.rules = ruleset(edition)
        self.actions = all_actions(self.board)
        self._index = {action: i for i, action in enumerate(self.actions)}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.game = State.new(seats, bytes(SEED_BYTES), self.rules, self.board)
        self._random = np.random.default_rng()
        length = len(list(_flat(observe(self.game, 0), self.board)))
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(-1, LARGEST, (length,), np.int16),
                "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
            }
        )
        self._actions = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002  as PettingZoo calls it
        """The same for every agent."""
        return self._observations

    def action_space(self, agent: str) -> spaces.Discrete:
        """As many actions as can ever be legal on the board."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  as PettingZoo calls it
        """A new game: of this seed, or else of the next one that the last seed leads to."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        dealt = sha256(self._random.bytes(SEED_BYTES)).digest()
        self.game = State.new(len(self.possible_agents), dealt, self.rules, self.board)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.game.to_act()]

    def step(self, action: int | None) -> None:
        """Play an action for the selected agent."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.game.apply(self.actions[action if action is not None else -1])
        if self.game.is_over():
            last = len(self.agents)
            for agent, place in zip(self.agents, self.game.placements(), strict=True):
                self.rewards[agent] = (last + 1 - 2 * place) / (last - 1)
                self.terminations[agent] = True
            self._accumulate_rewards()
        else:
            self.agent_selection = self.agents[self.game.to_act()]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know; nothing is legal for one that is not asked."""
        seat = self.possible_agents.index(agent)
        numbers = np.fromiter(_flat(observe(self.game, seat), self.board), np.int16)
        mask = np.zeros(len(self.actions), np.int8)
        if seat == self.game.to_act():
            mask[[self._index[action] for action in self.game.legal_actions()]] = 1
        return {"observation": numbers, "action_mask": mask}

    def render(self) -> str:
        """The table in a few words."""
        game = self.game
        legal = ", ".join(action_text(action, self.board) for action in game.legal_actions()[:5])
        when = f"age {game.age}, {PHASE_NAMES[game.phase]}"
        return f"{when}, scores {game.scores()}, seat {game.to_act()}: {legal} ..."

    def close(self) -> None:
        """There is nothing to close."""


def _flat(seen: Observation, board: Board) -> Iterator[int]:
    """All numbers of an observation in a fixed order; sets become zeros and ones."""
    for name in _NUMBERS:
        yield getattr(seen, name)
    for name in _LISTS:
        yield from getattr(seen, name)
    for used in seen.used:
        yield from _bits(used, POWER_CARDS)
    for territories in (seen.settled, *seen.claims, *seen.placed):
        yield from _bits(territories, board.size)
    yield from _bits(seen.spared, seen.seats)
    yield from (int(64 * a + b in seen.rafts) for a, b in board.shore_pairs)


def _bits(mask: int, length: int) -> list[int]:
    return [mask >> i & 1 for i in range(length)]
