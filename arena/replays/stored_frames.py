"""The frames of a stored match, as lines of JSON: first a header, then one line a frame.

They are made from the record by the engine when they are first asked for, then kept compressed; an ETag lets
a browser keep them too. Which view is made decides what is in them; the reader's browser hides nothing.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

from engine.record import Record, replay
from engine.replay.views import frames_of, lens_of, lines, views

__all__ = ["addresses", "compressed", "etag", "frames_of", "lines", "views"]

FORMAT: Final = 2


def compressed(parts: Iterator[bytes]) -> bytes:
    """The same, as gzip."""
    return gzip.compress(b"".join(parts), 6, mtime=0)


def etag(stored: bytes, view: str, header: dict[str, Any]) -> str:
    """Changes with the record, the view, the header, and the form of the frames."""
    content = f"{FORMAT} {view} {json.dumps(header, sort_keys=True)}".encode() + stored
    return f'"{hashlib.sha256(content).hexdigest()[:24]}"'


def addresses(record: Record, view: str) -> list[tuple[int, int]]:
    """By number of an action: the step and sub step at which this view is shown what came of it."""
    lens = lens_of(view)
    found: list[tuple[int, int]] = []
    for step in replay(record):
        if frames := lens.see(step.state, step.events):
            # What this view could not see happen comes with the next frame that it has.
            shown = (frames[0]["step"], frames[0].get("sub", 0))
            found += [shown] * (step.number + 1 - len(found))
    return found
