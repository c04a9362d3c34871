"""Packs bots into archives: the only definition of what is packed, for `aztlan` and the arena.

`workers.archives.check` accepts what this packs; where that is impossible, both refuse for the same reason.
"""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.archives import archive_limits
from workers.archives.directory import check_count, check_length, check_unpacked
from workers.archives.errors import ArchiveError, Code, shown
from workers.archives.manifest import NAME as MANIFEST_NAME
from workers.archives.manifest import Manifest

ENTRY: Final = "bot.py"
LEFT_OUT: Final = frozenset({"__pycache__", "node_modules"})
"""Folders that tools can recreate."""
CACHE_TAG: Final = "CACHEDIR.TAG"
CACHE_SIGN: Final = b"Signature: 8a477f597d28d172789f06886806bc55"
"""Marks a folder as a cache, as cargo's target folder is: https://bford.info/cachedir/"""
EARLIEST: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Listing:
    """A folder's files that belong to the bot, and those that do not, as paths relative to it."""

    files: tuple[str, ...]
    left_out: tuple[str, ...]
    """Hidden files, and what tools made; folders end in a slash."""
    links: tuple[str, ...]
    """Links, devices and the like, which no archive may hold."""


def list_folder(folder: Path) -> Listing:
    """List what is packed of a folder. Everything else is named, so that nothing is dropped silently."""
    files, left_out, links = [], [], []
    for place, folders, names in os.walk(folder):
        for name in list(folders):
            inner = Path(place, name)
            path = inner.relative_to(folder).as_posix() + "/"
            if is_left_out(inner):
                left_out.append(path)
                folders.remove(name)
            elif inner.is_symlink():
                links.append(path)
        for name in names:
            file = Path(place, name)
            path = file.relative_to(folder).as_posix()
            if name.startswith(".") or name.endswith(".pyc"):
                left_out.append(path)
            elif file.is_symlink() or not file.is_file():
                links.append(path)
            else:
                files.append(path)
    return Listing(tuple(sorted(files)), tuple(sorted(left_out)), tuple(sorted(links)))


def is_left_out(folder: Path) -> bool:
    """Whether a folder is hidden, or contains only what a tool can recreate."""
    if folder.name.startswith(".") or folder.name in LEFT_OUT:
        return True
    try:
        with (folder / CACHE_TAG).open("rb") as tag:
            return tag.read(len(CACHE_SIGN)) == CACHE_SIGN
    except OSError:
        return False


def pack_folder(folder: Path) -> bytes:
    """Pack a folder; the same files give the same bytes. A file that cannot be read raises OSError."""
    listing = list_folder(folder)
    if listing.links:
        raise ArchiveError(
            Code.NOT_A_FILE, f"{shown(listing.links[0])} is a link or a device, not a plain file."
        )
    if MANIFEST_NAME not in listing.files:
        raise ArchiveError(Code.MANIFEST_MISSING, f"There is no {MANIFEST_NAME} in {folder}.")
    check_count(len(listing.files))
    check_unpacked((name, (folder / name).stat().st_size) for name in listing.files)
    return pack((name, (folder / name).read_bytes(), is_executable(folder / name)) for name in listing.files)


def is_executable(file: Path) -> bool:
    return os.access(file, os.X_OK)


def pack_single_file(source: bytes, bot_name: str) -> bytes:
    """Pack a single Python file, with a manifest, as a bot."""
    if len(source) > archive_limits.SOURCE:
        most = archive_limits.SOURCE // archive_limits.MIB
        raise ArchiveError(
            Code.TOO_LARGE, f"A single Python file may have {most} MiB at most: pack a zip archive."
        )
    manifest = Manifest(bot_name, "python", ENTRY).to_toml()
    return pack([(MANIFEST_NAME, manifest.encode(), False), (ENTRY, source, False)])


def pack(files: Iterable[tuple[str, bytes, bool]]) -> bytes:
    """Pack files: name, content, whether it is executable. The same files always give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content, executable in files:
            info = zipfile.ZipInfo(name, EARLIEST)
            info.create_system = 3
            info.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(info, content, method_for(content))
            check_length(packed.tell())
    check_length(packed.tell())
    return packed.getvalue()


def method_for(content: bytes) -> int:
    """Store what would shrink so much that readers would refuse it as a zip bomb; deflate the rest."""
    if len(content) <= archive_limits.RATIO_COUNTS_FROM:
        return zipfile.ZIP_DEFLATED
    small = len(zlib.compress(content)) * archive_limits.RATIO < len(content) * 2
    return zipfile.ZIP_STORED if small else zipfile.ZIP_DEFLATED
