"""Decoded actions: their kind, and which territories or card they are about."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from engine import actions
from engine.board import Board


class Kind(StrEnum):
    """What an action does. The comments say what `Move.number` holds, and `target` where there is one."""

    PASS = "pass"  # noqa: S105  not a password
    CARD = "card"  # - the power card, 4 to 9
    NAME = "name"  # - the territory type
    GAMES = "games"  # - unused: plays Sacred Games
    BLESS = "bless"  # - 0 jungle, 1 mountains, 2 terraced fields
    RAFT_ALL = "raft all"  # - unused: joins all shores of each lake
    PLACE = "place"  # - the territory
    EAGLE = "eagle"  # - the territory
    BATTLE = "battle"  # - the territory
    COEXIST = "coexist"  # - the territory
    TLATOANI = "tlatoani"  # - the territory
    MOVE = "move"  # - from which territory; target: to which
    RAFT = "raft"  # - one territory; target: the other


class Move(NamedTuple):
    """A decoded action."""

    action: int
    kind: Kind
    number: int = 0
    target: int = -1


_FROM: Final = (
    (actions.RAFT, Kind.RAFT),
    (actions.MOVE, Kind.MOVE),
    (actions.TLATOANI, Kind.TLATOANI),
    (actions.COEXIST, Kind.COEXIST),
    (actions.BATTLE, Kind.BATTLE),
    (actions.EAGLE, Kind.EAGLE),
    (actions.PLACE, Kind.PLACE),
    (actions.RAFT_ALL, Kind.RAFT_ALL),
    (actions.BLESSING, Kind.BLESS),
    (actions.PLAY_GAMES, Kind.GAMES),
    (actions.NAME_TYPE, Kind.NAME),
    (actions.PASS, Kind.CARD),  # a card's action is the card
)


def read_move(action: int) -> Move:
    """Decode an action."""
    if action == actions.PASS:
        return Move(action, Kind.PASS)
    first, kind = next(pair for pair in _FROM if pair[0] <= action)
    number = action - first
    return (
        Move(action, kind, number >> 6, number & 63) if first >= actions.MOVE else Move(action, kind, number)
    )


def group(legal: Iterable[int]) -> dict[Kind, list[Move]]:
    """Group the legal actions by kind; kinds without an action are left out."""
    found: dict[Kind, list[Move]] = {}
    for action in legal:
        move = read_move(action)
        found.setdefault(move.kind, []).append(move)
    return found


def action_text(action: int, board: Board) -> str:
    """Return an action as text: `place t07`, `move t01>t02`, `card 9`, `pass`."""
    return actions.to_text(action, board)
