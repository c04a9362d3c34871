"""Log formats: text for people, or one JSON object per line for machines, with the attempt concerned."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from workers import env

FORMATS = ("text", "json")
LINE = "%(levelname)s %(name)s: %(message)s"
# asyncio's tasks and threads inherit it, so that everything a match logs says which match it was.
_concerned: ContextVar[dict[str, str | int]] = ContextVar("concerned", default={})  # noqa: B039  never changed


@contextmanager
def concerning(**ids: str | int) -> Iterator[None]:
    """Add these ids to every line that is logged inside the block, as in concerning(attempt=7)."""
    token = _concerned.set(_concerned.get() | ids)
    try:
        yield
    finally:
        _concerned.reset(token)


class JsonFormatter(logging.Formatter):
    """One object per line; a line break inside a message cannot forge a second line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process or 0,
            **_concerned.get(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def formatter() -> logging.Formatter:
    """Return the formatter that ARENA_LOG_FORMAT asks for."""
    chosen = env.text("ARENA_LOG_FORMAT", "text")
    if chosen not in FORMATS:
        raise env.EnvError(f"ARENA_LOG_FORMAT must be text or json, not {chosen!r}.")
    return JsonFormatter() if chosen == "json" else logging.Formatter(LINE)
