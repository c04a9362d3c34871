"""Reading record files."""

from pathlib import Path

from aztlan.errors import SdkError
from engine.record import Record, load_record

LARGEST = 8 * 1024 * 1024


def read_record(path: Path) -> Record:
    """Read a record of either form; SdkError if there is no such file, RecordError if it is no record."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise SdkError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise SdkError(f"{path} is larger than any record, {LARGEST // 2**20} MiB")
    return load_record(data)
