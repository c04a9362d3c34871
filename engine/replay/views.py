"""A recorded game as the viewer reads it: lines of JSON, first a header, then the frames of one view."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.record import Record, board_of, replay
from engine.replay.frames import OPEN, SPECTATOR, Frame, Lens
from engine.replay.highlights import story

Times = Sequence[dict[int, int]]
"""By seat: the microseconds that were charged for the decision before each action, by the action's number."""


def views(seats: int) -> list[str]:
    """The views of a match that is over; the first is shown where none is asked for."""
    return ["open", "public", *(f"seat{seat}" for seat in range(seats))]


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names of the seats; a bot that sits twice is told apart by a number."""
    times = [names[: at + 1].count(name) for at, name in enumerate(names)]
    return [name if count == 1 else f"{name} ({count})" for name, count in zip(names, times, strict=True)]


def lens_of(view: str, timed: bool = False) -> Lens:
    """The lens of a view's name. The name comes from `views`, or from nobody."""
    if view == "open":
        return Lens(OPEN, timed)
    return Lens(SPECTATOR if view == "public" else int(view.removeprefix("seat")), timed)


def frames_of(record: Record, view: str, times: Times = ()) -> Iterator[Frame]:
    """All frames of a view, with clocks where the times are known."""
    lens = lens_of(view, timed=bool(times))
    for step in replay(record):
        if times and step.seat >= 0:
            lens.charge(step.seat, times[step.seat].get(step.number, 0))
        yield from lens.see(step.state, step.events)


def told(record: Record, view: str, header: dict[str, Any], times: Times = ()) -> Iterator[bytes]:
    """A view of a game as lines of JSON; the header also has the game's story, the same in every view."""
    frames = list(frames_of(record, view, times))
    public = frames if view == "public" else list(frames_of(record, "public"))
    return lines({**header, "story": story(public, board_of(record))}, frames)


def lines(header: dict[str, Any], frames: Iterable[Frame]) -> Iterator[bytes]:
    """Header and frames as lines of JSON."""
    yield _line(header)
    for frame in frames:
        yield _line(frame)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
