"""Copies every file that the database names from a folder into the storage, and proves each copy.

Files never change, and their names say what they are, so a run that was stopped is simply run again: what is
there and the same is left alone. Nothing is deleted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import file_digest
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, default_storage

from arena.operations.backups import file_names


class Outcome(StrEnum):
    COPIED = "copied"
    THERE = "there already"
    MISSING = "missing in the folder"
    WRONG = "wrong"


@dataclass(frozen=True)
class CopiedFile:
    """What became of one file, and of how many bytes."""

    name: str
    outcome: Outcome
    size: int = 0


class SameFolderError(Exception):
    """The sentence says what to set."""


def copy_files(folder: Path, dry_run: bool = False) -> Iterator[CopiedFile]:
    """Copy what is missing in the storage or differs there; yield what became of each file."""
    if isinstance(default_storage, FileSystemStorage) and Path(default_storage.location) == folder.resolve():
        raise SameFolderError(
            f"{folder} is the storage itself: name the bucket in ARENA_STORAGE for this command."
        )
    source = FileSystemStorage(folder)
    for name in sorted(file_names()):
        yield copy_file(source, default_storage, name, dry_run)


def copy_file(source: Storage, target: Storage, name: str, dry_run: bool) -> CopiedFile:
    if not source.exists(name):
        # What was uploaded since the arena uses the bucket never was in the folder.
        return CopiedFile(name, Outcome.THERE if target.exists(name) else Outcome.MISSING)
    digest, size = digest_in(source, name), source.size(name)
    if digest_in(target, name) == digest:
        return CopiedFile(name, Outcome.THERE, size)
    if dry_run:
        return CopiedFile(name, Outcome.COPIED, size)
    if target.exists(name):
        target.delete(name)
    with source.open(name) as opened:
        saved = target.save(name, File(opened))
    proven = saved == name and digest_in(target, name) == digest
    return CopiedFile(name, Outcome.COPIED if proven else Outcome.WRONG, size)


def digest_in(storage: Storage, name: str) -> str | None:
    """Return the SHA-256 of a file read back from the storage; None if the storage does not have it."""
    try:
        with storage.open(name) as opened:
            return file_digest(opened, "sha256").hexdigest()
    except FileNotFoundError:
        return None
