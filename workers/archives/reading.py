"""Read an archive's files in chunks, to verify them or to unpack them; never more than was declared."""

import io
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from workers.archives import archive_limits
from workers.archives import manifest as manifests
from workers.archives.directory import ZipEntry, read_directory
from workers.archives.errors import ArchiveError, Code, shown
from workers.archives.manifest import Manifest, read_manifest

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""How a file is made that nobody made before us. Not every system has all of these."""


@dataclass(frozen=True)
class Contents:
    """What a good archive holds."""

    manifest: Manifest
    files: tuple[str, ...]
    size: int
    """Of all files, unpacked."""


def check(file: BinaryIO) -> Contents:
    """Verify a whole archive without writing anything."""
    return read(file, lambda _: None)


def extract(file: BinaryIO, folder: Path) -> Contents:
    """Unpack an archive into a folder that must not exist yet; after an error the caller deletes it."""
    folder.mkdir(mode=0o755)

    def open_target(entry: ZipEntry) -> BinaryIO | None:
        target = folder.joinpath(*entry.parts)
        (target if entry.is_folder else target.parent).mkdir(mode=0o755, parents=True, exist_ok=True)
        if entry.is_folder:
            return None
        mode = 0o755 if entry.is_executable else 0o644
        descriptor = os.open(target, NEW_FILE, mode)
        return os.fdopen(descriptor, "wb")

    return read(file, open_target)


def read(file: BinaryIO, open_target: Callable[[ZipEntry], BinaryIO | None]) -> Contents:
    length = file.seek(0, io.SEEK_END)
    entries = read_directory(file, length)
    manifest = read_the_manifest(file, entries)
    for entry in entries:
        target = open_target(entry)
        try:
            for chunk in stream(file, entry):
                if target:
                    target.write(chunk)
        finally:
            if target:
                target.close()
    files = tuple(entry.name for entry in entries if not entry.is_folder)
    return Contents(manifest, files, sum(entry.size for entry in entries))


def read_the_manifest(file: BinaryIO, entries: list[ZipEntry]) -> Manifest:
    """Read bot.toml before anything else, so that a wrong archive costs little."""
    files = {entry.name: entry for entry in entries if not entry.is_folder}
    entry = files.get(manifests.NAME)
    if entry is None:
        deeper = next((name for name in files if name.endswith("/" + manifests.NAME)), None)
        hint = f" It is in {shown(deeper)}: pack what is in that folder, not the folder." if deeper else ""
        raise ArchiveError(Code.MANIFEST_MISSING, f"There is no bot.toml at the top of the archive.{hint}")
    if entry.size > archive_limits.MANIFEST:
        raise ArchiveError(
            Code.MANIFEST_TOO_LARGE,
            f"bot.toml is larger than {archive_limits.MANIFEST // archive_limits.KIB} KiB.",
        )
    return read_manifest(b"".join(stream(file, entry)), frozenset(files))


def stream(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    """Yield a file's bytes in chunks; raise once they are more, fewer or other than was declared."""
    unpacked = inflate(file, entry) if entry.is_deflated else raw(file, entry)
    crc = 0
    size = 0
    for chunk in unpacked:
        size += len(chunk)
        if size > entry.size:
            raise ArchiveError(Code.SIZE_LIE, f"{shown(entry.name)} is larger than the archive says.")
        crc = zlib.crc32(chunk, crc)
        yield chunk
    if size != entry.size:
        raise ArchiveError(Code.SIZE_LIE, f"{shown(entry.name)} is smaller than the archive says.")
    if crc != entry.crc:
        raise ArchiveError(
            Code.CHECKSUM, f"{shown(entry.name)} is damaged: its checksum is wrong. Upload it again."
        )


def raw(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    for offset in range(0, entry.packed, archive_limits.CHUNK):
        file.seek(entry.start + offset)  # others may have read from this file meanwhile
        yield file.read(min(archive_limits.CHUNK, entry.packed - offset))


def inflate(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    """Yield at most a chunk at a time, however much a few bytes would unpack to."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for packed in raw(file, entry):
            waiting = packed
            while waiting:
                yield inflater.decompress(waiting, archive_limits.CHUNK)
                waiting = inflater.unconsumed_tail
                if inflater.eof and (waiting or inflater.unused_data):
                    raise ArchiveError(Code.EXTRA_BYTES, f"{shown(entry.name)} has bytes after its end.")
        while not inflater.eof and (rest := inflater.decompress(b"", archive_limits.CHUNK)):
            yield rest
    except zlib.error:
        raise ArchiveError(Code.DAMAGED, f"{shown(entry.name)} is damaged. Upload it again.") from None
    if not inflater.eof:
        raise ArchiveError(Code.DAMAGED, f"{shown(entry.name)} is cut short. Upload it again.")
