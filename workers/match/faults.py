"""How a bot can fail, and what its failure does to the placements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

STRIKES_ALLOWED: Final = 3
"""With this many strikes a bot is out."""
UNASKED_ALLOWED: Final = 1000
"""With more messages that nobody asked for, it floods."""


class FaultKind(Enum):
    """Why a seat was taken from its bot. Each is the bot's doing; the host's own failures are raised."""

    NO_HELLO = "no_hello"
    """It did not say hello within the start-up allowance."""
    VERSION = "version"
    """It speaks another version of the protocol."""
    CRASH = "crash"
    """Its process ended before the match did."""
    CLOSED = "closed"
    """It closed its stream, or broke it."""
    GARBAGE = "garbage"
    """It sent something that is not a message, or did not begin with hello."""
    FLOOD = "flood"
    """It sent too many messages that nobody asked for."""
    STRIKES = "strikes"
    """It collected three strikes."""
    LEFT = "left"
    """A person resigned, or left a table that keeps no seat for those who leave."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat's failure: its kind, after how many actions of the game, and the reason in words."""

    kind: FaultKind
    step: int
    reason: str


def final_placements(by_game: Sequence[int], faults: Mapping[int, Fault]) -> list[int]:
    """Return the placements by seat, with failed seats last; among those, the later failure places better.

    Seats that failed at the same step keep the order in which the game placed them.
    """

    def key(seat: int) -> tuple[int, int]:
        fault = faults.get(seat)
        return (-1 if fault is None else 1_000_000 - fault.step, by_game[seat])

    ranked = sorted(range(len(by_game)), key=key)
    return [ranked.index(seat) + 1 for seat in range(len(by_game))]
