"""The codec's part that knows the game: boards, observations and events."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final

from engine.board import Board
from engine.events import CHOSE, DREW, HIDDEN
from engine.observation import Observation
from proto.bot.v1 import bot_pb2 as pb
from proto.messages import RawEvent

LISTS: Final = (
    "order", "side_of", "pawns", "reserve", "removed", "pool", "scores", "arrivals", "used", "power",
    "chosen", "hand", "hand_sizes", "discard", "claims", "placed", "rafts",
)  # fmt: skip
NUMBERS: Final = (
    "seat", "seats", "age", "step", "to_act", "own_power", "deck_size", "settled", "battle", "battle_by",
    "spared", "eagle_used", "pending", "raft_all",
)  # fmt: skip
_lists = attrgetter(*LISTS)
_numbers = attrgetter(*NUMBERS)


def fill_observation(target: Any, observation: Observation) -> None:
    """Write an observation into its message. The phases count from 1 there, since 0 is unspecified."""
    target.phase = observation.phase + 1
    for name, value in zip(NUMBERS, _numbers(observation), strict=True):
        if value:
            setattr(target, name, value)
    for field, values in zip(_lists(target), _lists(observation), strict=True):
        if values:
            field.extend(values)


def read_observation(message: pb.Observation) -> Observation:
    """Read an observation back, the same as the engine made it."""
    fields: dict[str, Any] = dict(zip(NUMBERS, _numbers(message), strict=True))
    for name, values in zip(LISTS, _lists(message), strict=True):
        fields[name] = list(values)
    return Observation(phase=message.phase - 1, **fields)


def fill_events(target: Any, events: Iterable[RawEvent], seat: int) -> None:
    """Write what a seat may see of the events into the repeated field `target`."""
    add = target.add
    for raw in events:
        if (raw[0] == CHOSE or raw[0] == DREW) and raw[1] != seat:
            add(kind=raw[0] + 1, values=(raw[1], HIDDEN))
        else:
            add(kind=raw[0] + 1, values=raw[1:])


def read_events(messages: Iterable[pb.Event]) -> list[RawEvent]:
    """Read events back, in the engine's raw form."""
    return [(message.kind - 1, *message.values) for message in messages]


def board_message(board: Board) -> pb.Board:
    """A board, without what is only for drawing."""
    return pb.Board(
        id=board.id,
        hash=board.hash,
        territories=board.ids,
        names=board.names,
        types=board.types,
        type_of=board.type_of,
        borders=[t for a in range(board.size) for b in board.neighbours[a] if a < b for t in (a, b)],
        shores=[number for lake, shores in enumerate(board.lakes) for t in shores for number in (lake, t)],
        card_types=board.card_types,
        card_values=board.card_values,
    )


def read_board(message: pb.Board) -> Board:
    """Build a board from its message; its `raw` data, for drawing, is empty."""
    size = len(message.territories)
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for a, b in zip(message.borders[::2], message.borders[1::2], strict=True):
        neighbours[a].append(b)
        neighbours[b].append(a)
    lakes: list[list[int]] = [[] for _ in range(1 + max(message.shores[::2], default=-1))]
    for lake, territory in zip(message.shores[::2], message.shores[1::2], strict=True):
        lakes[lake].append(territory)
    return Board(
        message.id,
        message.hash,
        list(message.types),
        list(zip(message.territories, message.names, message.type_of, strict=True)),
        neighbours,
        lakes,
        list(zip(message.card_types, message.card_values, strict=True)),
        {},
    )
