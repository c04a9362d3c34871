"""A progress bar on stderr, shown only on a terminal."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
WIDTH = 30


def progress(work: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the items of `work` and show how many have come."""
    if not sys.stderr.isatty():
        yield from work
        return
    began = time.monotonic()
    _draw(0, total, what, "")
    for done, thing in enumerate(work, 1):
        left = (time.monotonic() - began) / done * (total - done)
        _draw(done, total, what, f"{left:.0f} s left" if done < total else "")
        yield thing
    print(file=sys.stderr)


def _draw(done: int, total: int, what: str, note: str) -> None:
    full = WIDTH * done // max(1, total)
    print(
        f"\r[{'#' * full}{'.' * (WIDTH - full)}] {done}/{total} {what}  {note:<12}",
        end="",
        file=sys.stderr,
        flush=True,
    )
