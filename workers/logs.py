"""Lines of the log: for people, or one JSON object a line for machines, with the attempt they concern."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from workers import env

FORMATS = ("text", "json")
LINE = "%(levelname)s %(name)s: %(message)s"
# Tasks and threads of asyncio inherit it, so whatever a match does says which match it was.
_concerned: ContextVar[dict[str, str | int]] = ContextVar("concerned", default={})  # noqa: B039  never changed


@contextmanager
def concerning(**ids: str | int) -> Iterator[None]:
    """Have lines logged inside the block carry these ids, as in concerning(attempt=7)."""
    token = _concerned.set(_concerned.get() | ids)
    try:
        yield
    finally:
        _concerned.reset(token)


class JsonFormatter(logging.Formatter):
    """One object a line; line breaks inside a message cannot forge a second line."""

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
