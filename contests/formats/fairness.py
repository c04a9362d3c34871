"""Derives every seed of an event from one master seed, committed before play and shown afterwards.

The commitment is SHA-256 of the master seed, in hexadecimal. Game n (from 1) of a pod is played with the seed
SHA-256(master + "game" + the pod's key + ":" + n); with duplicate sets, n counts the sets, as all rotations
of a set share one seed. Who sits where follows from n alone: see `seating`.
"""

import hashlib
from collections.abc import Sequence


def commitment(master: bytes) -> str:
    """Return what is shown when versions are locked."""
    return hashlib.sha256(master).hexdigest()


def game_seed(master: bytes, pod_key: str, number: int) -> bytes:
    """Return the seed of a game or of a duplicate set."""
    return hashlib.sha256(master + f"game{pod_key}:{number}".encode()).digest()


def seating(entrants: Sequence[int], number: int) -> list[int]:
    """Return who sits where in game `number`, from 1: in the pod's order, shifted by one seat per game."""
    shift = (number - 1) % len(entrants)
    return [*entrants[shift:], *entrants[:shift]]
