"""The frames of a stored match, as lines of JSON: first a header, then one line per frame.

The engine makes them from the record when they are first asked for; then they are cached, compressed, and an
ETag lets browsers cache them too. Which view is made decides what is in them; the reader's browser hides
nothing. Everything here is a pure function without Django, so that another process can compute it.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.record import Record, load_record, replay
from engine.replay.frames import OPEN, SPECTATOR, Frame, Lens, TableData, apply_frame

FORMAT: Final = 2
Times = Sequence[dict[int, int]]
"""By seat: the microseconds that were charged for the decision before each action, by the action's number."""


def views(seats: int) -> list[str]:
    """The views of a match that is over; the first is shown where none is asked for."""
    return ["open", "public", *(f"seat{seat}" for seat in range(seats))]


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


def lines(header: dict[str, Any], frames: Iterator[Frame]) -> Iterator[bytes]:
    """Header and frames as lines of JSON."""
    yield _line(header)
    for frame in frames:
        yield _line(frame)


def packed_frames(stored: bytes, view: str, header: dict[str, Any], times: Times = ()) -> bytes:
    """Return header and frames of a stored record as lines of JSON, compressed."""
    frames = frames_of(read_record(stored), view, times)
    return gzip.compress(b"".join(lines(header, frames)), 6, mtime=0)


def position_at(stored: bytes, view: str, last: int | None) -> tuple[TableData, Frame]:
    """Return the position at a step, or else at the end, and the frame that led to it."""
    position: TableData = {}
    shown: Frame = {}
    for frame in frames_of(read_record(stored), view):
        if last is not None and frame["step"] > last:
            break
        position, shown = apply_frame(position, frame), frame
    return position, shown


def read_record(stored: bytes) -> Record:
    return load_record(zlib.decompress(stored))


def etag(stored: bytes, view: str, header: dict[str, Any]) -> str:
    """Changes with the record, the view, the header, and the form of the frames."""
    content = f"{FORMAT} {view} {json.dumps(header, sort_keys=True)}".encode() + stored
    return f'"{hashlib.sha256(content).hexdigest()[:24]}"'


def addresses(stored: bytes, view: str) -> list[tuple[int, int]]:
    """By number of an action: the step and sub step at which this view is shown what came of it."""
    lens = lens_of(view)
    found: list[tuple[int, int]] = []
    for step in replay(read_record(stored)):
        if frames := lens.see(step.state, step.events):
            # What this view could not see happen comes with the next frame that it has.
            shown = (frames[0]["step"], frames[0].get("sub", 0))
            found += [shown] * (step.number + 1 - len(found))
    return found


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
