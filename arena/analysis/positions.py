"""Positions of stored matches, and variations from them. Pure functions without Django."""

from collections.abc import Sequence
from typing import Any

from arena.matches.stored_records import read_record
from arena.replays.stored_frames import addresses
from engine.observation import HIDDEN, visible_actor
from engine.replay.variations import MOST_ACTIONS, VariationError, play_variation, show_variation
from engine.state import State

__all__ = ["MOST_ACTIONS", "VariationError", "number_at", "position_after", "tell_variation", "why_not_from"]


def number_at(stored: bytes, step: int, sub: int) -> int:
    """Return how many actions had been played at a step of the open view."""
    at = addresses(stored, "open")
    return max(number for number, address in enumerate(at) if address <= (step, sub) or number == 0)


def position_after(stored: bytes, number: int, actions: Sequence[int]) -> State:
    """Return the position after so many actions of a record, and then these."""
    return play_variation(read_record(stored), number, actions)


def why_not_from(stored: bytes, number: int, actions: Sequence[int], seat: int | None = None) -> str:
    """Return why nobody can play on here; with a seat, why no worlds can be sampled for it.

    Empty if they can. An action that the rules forbid raises VariationError.
    """
    state = position_after(stored, number, actions)
    if state.is_over():
        return "over"
    return "hidden" if seat is not None and visible_actor(state, seat) == HIDDEN else ""


def tell_variation(stored: bytes, number: int, actions: Sequence[int]) -> dict[str, Any]:
    """Return the frames of a variation, the first with the whole position, and what is legal at its end."""
    return show_variation(read_record(stored), number, actions)
