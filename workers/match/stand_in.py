"""What is played for a seat that did not answer, once (a strike) or to the end (a fault).

Passing where that is allowed; otherwise one of the legal actions, chosen by the match's seed, the seat and
the step. It depends on nothing else, so anyone who has the record can check it: docs/clocks-and-faults.md.
"""

from collections.abc import Sequence
from hashlib import sha256

from engine.actions import PASS


def default_action(seed: bytes, seat: int, step: int, legal: Sequence[int]) -> int:
    """Return the action that the host takes for a seat. `step` is the action's number in the record."""
    if PASS in legal:
        return PASS
    digest = sha256(seed + b"stand-in" + bytes([seat]) + step.to_bytes(4, "big")).digest()
    return sorted(legal)[int.from_bytes(digest[:8], "big") % len(legal)]
