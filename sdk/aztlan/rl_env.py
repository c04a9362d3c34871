"""The PettingZoo environment behind `aztlan.rl`. Needs the extra `rl`: `pip install '.[rl]'`."""

from copy import deepcopy
from hashlib import sha256
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from aztlan.moves import action_text
from aztlan.rl import action_mask, actions, encode
from engine.board import Board
from engine.boardfile import load_board
from engine.observation import observe
from engine.position import PHASE_NAMES
from engine.randomness import SEED_BYTES
from engine.rulesets import ruleset
from engine.state import State

LARGEST = 10_000
"""No number of an observation is larger."""
SHARED = {"board", "rules", "actions"}
"""What never changes, and so is one for all copies."""


def guarded(seats: int, edition: str, render_mode: str | None) -> AECEnv:
    """The environment with PettingZoo's usual guards."""
    game: AECEnv = RawEnv(seats, edition, render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(game))


class RawEnv(AECEnv):
    """The environment itself. Power cards, which seats choose at once, are asked for one by one, unseen."""

    metadata = {"name": "aztlan_v2", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  as PettingZoo has it

    def __init__(self, seats: int = 4, edition: str = "english", render_mode: str | None = None) -> None:
        self._made_of = (seats, edition, render_mode)
        self.render_mode = render_mode
        self.board: Board = load_board()
        self.rules = ruleset(edition)
        self.actions = actions(self.board)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.game = State.new(seats, bytes(SEED_BYTES), self.rules, self.board)
        self._played: list[int] = []
        self._random = np.random.default_rng()
        length = len(encode(observe(self.game, 0), self.board))
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
        self._played = []
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
        self._play(self.actions[action if action is not None else -1])
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
        numbers = np.array(encode(observe(self.game, seat), self.board), np.int16)
        legal = self.game.legal_actions() if seat == self.game.to_act() else []
        return {"observation": numbers, "action_mask": np.array(action_mask(legal, self.board), np.int8)}

    def render(self) -> str:
        """The table in a few words."""
        game = self.game
        legal = ", ".join(action_text(action, self.board) for action in game.legal_actions()[:5])
        when = f"age {game.age}, {PHASE_NAMES[game.phase]}"
        return f"{when}, scores {game.scores()}, seat {game.to_act()}: {legal} ..."

    def close(self) -> None:
        """There is nothing to close."""

    def _play(self, action: int) -> None:
        self.game.apply(action)
        self._played.append(action)

    def __deepcopy__(self, memo: dict[int, Any]) -> "RawEnv":
        """The same game at the same move, with dice of its own."""
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        for name, value in self.__dict__.items():
            if name == "game":
                other.game = self.game.clone()
            else:
                other.__dict__[name] = value if name in SHARED else deepcopy(value, memo)
        return other

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in {*SHARED, "game"}}
        return {**kept, "seed": self.game.seed}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Play the same moves again."""
        seats, edition, render_mode = kept["_made_of"]
        self.__init__(seats, edition, render_mode)  # type: ignore[misc]
        self.game = State.new(seats, kept.pop("seed"), self.rules, self.board)
        for action in kept["_played"]:
            self.game.apply(action)
        self.__dict__.update(kept)
