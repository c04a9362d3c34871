"""The same games and numbers as other libraries want them: Gymnasium's vectors, PettingZoo's parallel API."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from pettingzoo import ParallelEnv

from aztlan.rl_env import LARGEST, RawEnv
from aztlan.rl_vector import VectorEnv
from engine.position import CHOOSING


class GymVectorEnv(gymnasium.vector.VectorEnv[dict[str, Any], Any, Any]):
    """`VectorEnv` as Gymnasium has it. The reward of a step goes to the seat that acted.

    The end of a game concerns all seats: `infos["rewards"]` has each one's; `infos["seat"]` says who acts
    next. Games are dealt anew in the step that ends them (`AutoresetMode.SAME_STEP`).
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  as Gymnasium has it

    def __init__(self, num_envs: int, seats: int = 4, edition: str = "english", threads: int = 1) -> None:
        self.games = VectorEnv(num_envs, seats, edition, threads=threads)
        self.num_envs = num_envs
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-1, LARGEST, self.games.observation.shape[1:], np.int16),
                "action_mask": spaces.Box(0, 1, self.games.action_mask.shape[1:], np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(len(self.games.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  as Gymnasium calls it
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal all games anew."""
        self.games.reset(
            [i if one is None else one for i, one in enumerate(seed)] if isinstance(seed, list) else seed
        )
        return self._seen(), {"seat": self.games.seat.copy()}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Play one decision in each game."""
        acted = self.games.seat.astype(np.intp)
        self.games.step(actions)
        done, rewards = self.games.done.copy(), self.games.reward.copy()
        infos: dict[str, Any] = {"seat": self.games.seat.copy(), "rewards": rewards}
        if done.any():
            nothing = np.zeros_like(self.games.action_mask)
            infos["final_obs"] = {"observation": self.games.final_observation.copy(), "action_mask": nothing}
            infos["_final_obs"] = done
        reward = rewards[np.arange(self.num_envs), acted].astype(np.float64)
        return self._seen(), reward, done, np.zeros_like(done), infos

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002  as Gymnasium calls it
        """Let the threads go."""
        self.games.close()

    def _seen(self) -> dict[str, Any]:
        return {
            "observation": self.games.observation.copy(),
            "action_mask": self.games.action_mask.copy(),
        }


class RawParallelEnv(ParallelEnv):
    """One game in which all agents answer each step; only those that are asked are heard.

    Power cards are chosen by all at once, as at the table. Whoever has an empty mask is not asked, and any
    action will do.
    """

    metadata = {"name": "aztlan_v2", "render_modes": ["ansi"]}  # noqa: RUF012  as PettingZoo has it

    def __init__(self, seats: int = 4, edition: str = "english", render_mode: str | None = None) -> None:
        self._turns = RawEnv(seats, edition, render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(self._turns.possible_agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same for every agent."""
        return self._turns.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """As many actions as can ever be legal on the board."""
        return self._turns.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game: of this seed, or else of the next one that the last seed leads to."""
        self._turns.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Play the actions of all who are asked. One that the rules forbid raises, and nothing has moved."""
        game, table = self._turns.game.clone(), self._turns.actions
        for seat in game.acting():
            game.apply(table[actions[self.possible_agents[seat]]], seat)
        self._turns.game = game
        over, last = game.is_over(), len(self.possible_agents)
        places = game.placements()
        rewards = {
            agent: (last + 1 - 2 * place) / (last - 1) if over else 0.0
            for agent, place in zip(self.possible_agents, places, strict=True)
        }
        seen, ended = self._seen(), dict.fromkeys(self.agents, over)
        still = dict.fromkeys(self.agents, False)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agents = [] if over else self.agents
        return seen, rewards, ended, still, infos

    def render(self) -> str:
        """The table in a few words."""
        return self._turns.render()

    def close(self) -> None:
        """There is nothing to close."""

    def _seen(self) -> dict[str, Any]:
        """What each agent may know. While power cards are chosen, each that has yet to choose is asked."""
        found = {agent: self._turns.observe(agent) for agent in self.agents}
        if self._turns.game.phase == CHOOSING:
            for seat in self._turns.game.acting():
                mask = found[self.possible_agents[seat]]["action_mask"]
                for action in self._turns.game.legal_actions(seat):
                    mask[self._turns.actions.index(action)] = 1
        return found
