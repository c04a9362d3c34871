"""Reading record files."""

import json
from pathlib import Path

from aztlan.errors import SdkError
from engine.record import Record, load_record

LARGEST = 8 * 1024 * 1024


def read_record(path: Path) -> Record:
    """Read a record of either form, or what the API's replay gives.

    Raises SdkError if there is no such file, RecordError if it is no record.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise SdkError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise SdkError(f"{path} is larger than any record, {LARGEST // 2**20} MiB")
    return load_record(_within_answer(data))


def _within_answer(data: bytes) -> bytes:
    """Return the record inside what the API's replay gives; anything else as it is."""
    try:
        answer = json.loads(data) if data[:1].isspace() or data[:1] == b"{" else None
    except (ValueError, RecursionError):
        return data
    inner = answer.get("record") if isinstance(answer, dict) else None
    return json.dumps(inner).encode() if isinstance(inner, dict) else data
