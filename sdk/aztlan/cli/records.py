"""Reading record files."""

import json
from pathlib import Path

from aztlan.errors import SdkError
from engine.record import Record, load_record

LARGEST = 8 * 1024 * 1024


def read_record(path: Path) -> Record:
    """Read a record, JSON or compact, or a response of the API's replay endpoint.

    Raises SdkError if the file cannot be read, RecordError if it is not a record.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise SdkError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise SdkError(f"{path} is too large to be a record: the limit is {LARGEST // 2**20} MiB")
    return load_record(_within_answer(data))


def _within_answer(data: bytes) -> bytes:
    """Return the record inside a replay response; any other data unchanged."""
    try:
        answer = json.loads(data) if data[:1].isspace() or data[:1] == b"{" else None
    except (ValueError, RecursionError):
        return data
    inner = answer.get("record") if isinstance(answer, dict) else None
    return json.dumps(inner).encode() if isinstance(inner, dict) else data
