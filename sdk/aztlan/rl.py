"""Aztlán for reinforcement learning: environments, and the same numbers for a bot that plays.

    from aztlan.rl import VectorEnv                             # to train many games; needs the extra `rl`
    from aztlan.rl import env, parallel_env, GymVectorEnv       # for PettingZoo and Gymnasium

    from aztlan.rl import action_mask, actions, encode          # to play; needs nothing else
    numbers, mask = encode(observation, self.match.board), action_mask(legal, self.match.board)
    return actions(self.match.board)[best]                      # `best` is an index into the mask

All of them share one encoding (`ENCODING` is its version): an observation is a vector of exactly what the
seat may know, and a mask of legal actions. Action i is `actions(board)[i]`. Rewards come at the end: 1 for
first place, -1 for last place, evenly spaced in between.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.encoding import VERSION as ENCODING
from engine.encoding import action_mask, actions, encode

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv

__all__ = ["ENCODING", "action_mask", "actions", "encode", "env", "parallel_env"]

_LATER = {
    "RawEnv": "rl_env",
    "VectorEnv": "rl_vector",
    "GymVectorEnv": "rl_faces",
    "RawParallelEnv": "rl_faces",
}
"""Names that are imported on first use, and from where: sandboxes have no PettingZoo."""


def env(seats: int = 4, edition: str = "english", render_mode: str | None = None) -> "AECEnv":
    """Return the environment with PettingZoo's usual wrappers: an illegal action ends the game as a loss."""
    return _load("rl_env").guarded(seats, edition, render_mode)


def parallel_env(seats: int = 4, edition: str = "english", render_mode: str | None = None) -> "ParallelEnv":
    """Return the game in PettingZoo's parallel API; only the actions of agents that are to act count."""
    return _load("rl_faces").RawParallelEnv(seats, edition, render_mode)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(_load(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _load(name: str) -> Any:
    try:
        return import_module(f"aztlan.{name}")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error.name} is not installed: environments need the extra `rl` (`pip install '.[rl]'` in the "
            "project's folder). A bot in the arena has encode, action_mask and actions instead."
        ) from error
