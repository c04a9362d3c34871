"""Every seed of an event from one master seed, committed before play and shown afterwards.

The commitment is SHA-256 of the master seed, in hexadecimal. Game n (from 1) of a pod is played with the seed
SHA-256(master + "game" + the pod's key + ":" + n); in a duplicate set n counts the sets, since all rotations
of a set share their seed. Which entrant sits where follows from n alone: see `seating`.
"""

import hashlib
from collections.abc import Sequence


def commitment(master: bytes) -> str:
    """What is shown when the versions are locked."""
    return hashlib.sha256(master).hexdigest()


def game_seed(master: bytes, pod_key: str, number: int) -> bytes:
    """The seed of a game, or of a duplicate set."""
    return hashlib.sha256(master + f"game{pod_key}:{number}".encode()).digest()


def seating(entrants: Sequence[int], number: int) -> list[int]:
    """Who sits in which seat in game `number`, from 1: in the pod's order, moved on by one seat each game."""
    shift = (number - 1) % len(entrants)
    return [*entrants[shift:], *entrants[:shift]]
