"""Aztlán for reinforcement learning: a PettingZoo AEC environment, and the same numbers for a bot that plays.

    from aztlan.rl import env                                   # to train; needs the extra `rl`
    game = env(seats=4)

    from aztlan.rl import action_mask, actions, encode          # to play; needs nothing else
    numbers, mask = encode(observation, self.match.board), action_mask(legal, self.match.board)
    return actions(self.match.board)[best]                      # an index of the mask

Agents are `seat_0`, `seat_1` and so on. An observation is a dict: `observation`, numbers that hold exactly
what the seat may know, and `action_mask`. Action i stands for `game.unwrapped.actions[i]`. Rewards come at
the end: 1 for the first place, -1 for the last, evenly between.
"""

from typing import TYPE_CHECKING, Any

from engine.encoding import action_mask, actions, encode

if TYPE_CHECKING:
    from pettingzoo import AECEnv

__all__ = ["action_mask", "actions", "encode", "env"]


def env(seats: int = 4, edition: str = "english", render_mode: str | None = None) -> "AECEnv":
    """The environment with PettingZoo's usual guards: an illegal action ends the game as a loss."""
    return _environment().guarded(seats, edition, render_mode)


def __getattr__(name: str) -> Any:
    """Load `RawEnv`, the environment without guards, when it is wanted: sandboxes have no PettingZoo."""
    if name == "RawEnv":
        return _environment().RawEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _environment() -> Any:
    try:
        from aztlan import rl_env
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"There is no {error.name} here: environments need the extra `rl` (`pip install '.[rl]'` in the "
            "project's folder). A bot in the arena has encode, action_mask and actions instead."
        ) from error
    return rl_env
