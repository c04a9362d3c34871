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

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.actions import all_actions
from engine.board import Board
from engine.observation import Observation
from engine.position import POWER_CARDS

if TYPE_CHECKING:
    from pettingzoo import AECEnv

_NUMBERS = (
    "seat", "seats", "age", "phase", "step", "to_act", "own_power", "deck_size", "battle", "battle_by",
    "pending", "raft_all",
)  # fmt: skip
_LISTS = (
    "order", "side_of", "pawns", "reserve", "removed", "pool", "scores", "arrivals", "power", "chosen",
    "hand", "hand_sizes", "discard",
)  # fmt: skip


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


@cache
def actions(board: Board) -> tuple[int, ...]:
    """All actions that can ever be legal on a board; networks and masks know each by its index."""
    return all_actions(board)


@cache
def _indices(board: Board) -> dict[int, int]:
    return {action: i for i, action in enumerate(actions(board))}


def action_mask(legal: Sequence[int], board: Board) -> list[int]:
    """1 for each legal action, by its index in `actions`, and 0 for all others."""
    mask, indices = [0] * len(actions(board)), _indices(board)
    for action in legal:
        mask[indices[action]] = 1
    return mask


def encode(observation: Observation, board: Board) -> list[int]:
    """All numbers of an observation in a fixed order, as the environment gives them."""
    return list(_flat(observation, board))


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
