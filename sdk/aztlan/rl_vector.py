"""Many games at once for training: `VectorEnv`. Needs the extra `rl`: `pip install '.[rl]'`.

    env = VectorEnv(512, seats=4, threads=2)
    env.reset(seed=1)
    while learning:
        env.step(choose(env.observation, env.action_mask, env.seat))     # an action's index for each game

Every step is one decision of each game, for the seat that `env.seat` names. The arrays are written in place:
copy what you keep. Of `observation` often only the changes are written, so it is read-only for everyone else.
A game that ends is dealt anew at once; `done`, `reward` (by seat) and `final_observation` (what the seat that
acted last saw at the end) tell of it. With the native kernel games are played without the interpreter's lock,
on as many threads as are wanted, up to 64; without it, on one.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.encoding import actions
from engine.kernel import Batch, BatchActionError, BatchError
from engine.kernel.batch import crew
from engine.rulesets import Ruleset, ruleset

Actions = npt.NDArray[np.int64]


class VectorEnv:
    """N games side by side, written into arrays that stay the same objects.

    observation: int16, N x numbers, from the acting seat. action_mask: int8, N x actions. seat: int8, N, who
    acts. reward: float32, N x seats, 1 for the first place down to -1 for the last. done: bool, N.
    """

    def __init__(
        self,
        num_envs: int,
        seats: int = 4,
        edition: str | Ruleset = "english",
        *,
        threads: int = 1,
        board: Board | None = None,
    ) -> None:
        if num_envs < 1 or threads < 1:
            raise BatchError(f"{num_envs} games on {threads} threads: both must be 1 or more")
        self.num_envs, self.seats = num_envs, seats
        self.rules = edition if isinstance(edition, Ruleset) else ruleset(edition)
        self._batch = Batch(seats, [bytes(32)] * num_envs, self.rules, board)
        self.board = self._batch.board
        self.actions = actions(self.board)
        length, width = self._batch.observation_size, self._batch.action_count
        self._rows = np.zeros((num_envs, length), np.int16)
        self.observation = self._rows.view()
        self.observation.flags.writeable = False
        self.final_observation = np.zeros((num_envs, length), np.int16)
        self.action_mask = np.zeros((num_envs, width), np.int8)
        self.reward = np.zeros((num_envs, seats), np.float32)
        self.done = np.zeros(num_envs, np.bool_)
        self.seat = np.zeros(num_envs, np.int8)
        self._arrays = (
            self._rows, self.action_mask, self.reward, self.done, self.seat, self.final_observation,
        )  # fmt: skip
        self._crew = crew(min(threads, num_envs))
        self._episodes = 0
        self.reset(0)

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Deal all games anew: game i of the seed `seed + i`, or of the i-th of several; else of new ones.

        The game that follows in its place has the SHA-256 of its seed, so that all follow from here.
        """
        if seed is None:
            self._episodes += self.num_envs
            seed = self._episodes
        given = seed if isinstance(seed, Sequence) else range(seed, seed + self.num_envs)
        if len(given) != self.num_envs:
            raise BatchError(f"{len(given)} seeds were given for {self.num_envs} games")
        seeds = [sha256(number.to_bytes(16, "big", signed=True)).digest() for number in given]
        self._batch = Batch(self.seats, seeds, self.rules, self.board)
        self._batch.observe_into(self._rows)
        self._batch.legal_mask(self.action_mask)
        self.seat[:] = self._batch.to_act()
        self.reward[:], self.done[:] = 0, False

    def step(self, chosen: Any) -> None:
        """Play in each game the action of this index, one of its mask; all games move, or none does."""
        given, games = self._indices(chosen), self._batch.games
        problem = games.check(given, 0, self.num_envs, True, self._crew)
        if problem is not None:
            game, rule = problem
            index = int(given[game])
            raise BatchActionError(
                game, rule, self.actions[index] if 0 <= index < len(self.actions) else index
            )
        games.advance(*self._arrays, 0, self.num_envs, self._crew)

    def sample(self, seed: int) -> Actions:
        """A uniformly random legal action for each game, by its index."""
        found = np.empty(self.num_envs, np.int64)
        self._batch.games.sample_into(found, seed % 2**64, 0, self.num_envs, self._crew)
        return found

    def batch(self) -> Batch:
        """A copy of the games, to look ahead in."""
        return self._batch.clone()

    def close(self) -> None:
        """Let the threads go."""
        self._crew = None

    def _indices(self, chosen: Any) -> Actions:
        found = np.asarray(chosen)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise BatchError(
                f"actions are {self.num_envs} whole numbers, one for each game; these have shape "
                f"{found.shape} and type {found.dtype}"
            )
        return np.ascontiguousarray(found, np.int64)
