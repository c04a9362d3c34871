"""The codec's part that knows the game: boards, observations and events."""

from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from engine.board import Board
from engine.events import CHOSE, DREW, HIDDEN
from engine.observation import Observation
from proto.bot.v1 import bot_pb2 as pb
from proto.messages import RawEvent

# The fields of an observation are listed once, in its dataclass; the contract names each of them alike.
LISTS: Final = tuple(field.name for field in fields(Observation) if field.type == list[int])
NUMBERS: Final = tuple(
    field.name for field in fields(Observation) if field.type is int and field.name != "phase"
)
RETIRED: Final = ("eagle_used",)
"""Fields that the contract keeps for the bots of this version, always 0 (docs/protocol-versioning.md)."""
_PRIVATE: Final = (CHOSE, DREW)
"""Their third value is for their seat alone, as `Event.seen_by` has it too."""
_lists = attrgetter(*LISTS)
_numbers = attrgetter(*NUMBERS)


class ObservationWriter:
    """Writes one observation after another to the same message, and only what changed since the last.

    From one question to the next a seat's observation changes in a few fields; filling all of them each time
    takes twice as long.
    """

    def __init__(self, target: Any) -> None:
        self._target = target
        self._fields = _lists(target)
        self._lists: tuple[list[int], ...] = ([],) * len(LISTS)
        self._numbers: tuple[int, ...] = (0,) * len(NUMBERS)

    def write(self, observation: Observation) -> None:
        """Make the message say what the observation says. The phases count from 1 there: 0 is unspecified."""
        target = self._target
        target.phase = observation.phase + 1
        numbers = _numbers(observation)
        for name, value, before in zip(NUMBERS, numbers, self._numbers, strict=True):
            if value != before:
                setattr(target, name, value)
        lists = _lists(observation)
        for field, values, old in zip(self._fields, lists, self._lists, strict=True):
            if values != old:
                del field[:]
                field.extend(values)
        self._numbers, self._lists = numbers, lists


def read_observation(message: pb.Observation) -> Observation:
    """Read an observation back, the same as the engine made it."""
    values: dict[str, Any] = dict(zip(NUMBERS, _numbers(message), strict=True))
    for name, numbers in zip(LISTS, _lists(message), strict=True):
        values[name] = numbers[:]  # a slice is a plain list, and made twice as fast as by list()
    return Observation(phase=message.phase - 1, **values)


def event_messages(events: Iterable[RawEvent], seat: int) -> list[pb.Event]:
    """What a seat may see of the events."""
    return [
        _event_message((raw[0], raw[1], HIDDEN) if raw[0] in _PRIVATE and raw[1] != seat else raw)
        for raw in events
    ]


@lru_cache(maxsize=4096)
def _event_message(raw: RawEvent) -> pb.Event:
    """Cached, since every seat is sent the same events. Nobody changes them."""
    return pb.Event(kind=pb.EventKind.Name(raw[0] + 1), values=raw[1:])


def read_events(messages: Iterable[pb.Event]) -> list[RawEvent]:
    """Read events back, in the engine's raw form."""
    return [(message.kind - 1, *message.values[:]) for message in messages]


@lru_cache(maxsize=8)
def board_message(board: Board) -> pb.Board:
    """A board, without drawing data. Cached: every seat of every match is sent the same one."""
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
