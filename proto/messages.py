"""What hosts and bots say to each other, as plain values. The contract itself: bot/v1/bot.proto."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.board import Board
from engine.observation import Observation

PROTOCOL_VERSION: Final = 1
PLAY: Final = "/aztlan.bot.v1.MatchService/Play"
"""The full name of the one method, for a gRPC channel or handler that deals in bytes."""
MAX_BOT_MESSAGE: Final = 256 * 1024
"""A bot that sends a longer message, in bytes, is cut off."""
MAX_BOT_NAME: Final = 80
MAX_NOTE: Final = 2048
"""Bytes of a note that are kept."""

# What is made for every decision is not frozen: that would cost more than filling it in.

RawEvent = tuple[int, ...]
"""An event as the engine logs it: its kind's number, then its values. `engine.events.event` names them."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """A bot's clocks, in milliseconds."""

    startup_ms: int
    bank_ms: int
    increment_ms: int
    decision_ms: int


@dataclass(frozen=True, slots=True)
class Hello:
    """A bot's first message."""

    protocol_version: int
    bot_name: str


@dataclass(slots=True)
class Decision:
    """A bot's answer to the request of that id."""

    request_id: int
    action: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pong:
    """A bot's answer to a ping."""

    ping_id: int


@dataclass(frozen=True, slots=True)
class MatchStart:
    """What is to be played. The board has no drawing data."""

    match_id: str
    seat: int
    seats: int
    ruleset: dict[str, str]
    board: Board
    clocks: Clocks
    seed_commitment: str


@dataclass(slots=True)
class DecisionRequest:
    """A question to one seat."""

    request_id: int
    observation: Observation
    legal_actions: Sequence[int]
    events: Sequence[RawEvent]
    time_left_ms: int
    time_limit_ms: int


class StrikeKind(IntEnum):
    """What a strike is for."""

    TIME = 1
    ILLEGAL_ACTION = 2


@dataclass(frozen=True, slots=True)
class Strike:
    """A warning: a default action was taken."""

    request_id: int
    kind: StrikeKind
    reason: str
    action: int
    strikes: int
    strikes_allowed: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """How the match ended, and the seed as proof."""

    placements: Sequence[int]
    scores: Sequence[int]
    seed: bytes


@dataclass(frozen=True, slots=True)
class Ping:
    """A measurement of the connection."""

    ping_id: int


BotMessage = Hello | Decision | Pong
HostMessage = MatchStart | DecisionRequest | Strike | GameOver | Ping
