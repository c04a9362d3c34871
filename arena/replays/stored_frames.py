"""The frames of a stored match, as lines of JSON: first a header, then one line per frame.

The engine makes them from the record when they are first asked for; then they are cached, compressed, and an
ETag lets browsers cache them too. Which view is made decides what is in them; the reader's browser hides
nothing. Everything here is a pure function without Django, so that another process can compute it.
"""

import gzip
import hashlib
import json
from typing import Any, Final

from arena.matches.stored_records import read_record
from engine.errors import EngineError
from engine.record import replay
from engine.replay.frames import Frame, TableData, apply_frame
from engine.replay.luck import read_game, value_function
from engine.replay.views import Times, frames_of, lens_of, told, views

__all__ = ["addresses", "etag", "frames_of", "luck_as_json", "packed_frames", "position_at", "views"]

FORMAT: Final = 3


def packed_frames(stored: bytes, view: str, header: dict[str, Any], times: Times = ()) -> bytes:
    """Return header and frames of a stored record as lines of JSON, compressed."""
    return gzip.compress(b"".join(told(read_record(stored), view, header, times)), 6, mtime=0)


def position_at(stored: bytes, view: str, last: int | None) -> tuple[TableData, Frame]:
    """Return the position at a step, or else at the end, and the frame that led to it."""
    position: TableData = {}
    shown: Frame = {}
    for frame in frames_of(read_record(stored), view):
        if last is not None and frame["step"] > last:
            break
        position, shown = apply_frame(position, frame), frame
    return position, shown


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


def luck_as_json(stored: bytes, sha256: str) -> bytes:
    """Return the luck of each seat; null where the record cannot be played again."""
    try:
        return json.dumps(read_game(read_record(stored), value_function(sha256)).luck).encode()
    except EngineError:
        return b"null"
