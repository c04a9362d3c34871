"""The table of contents of a zip file, read strictly: every byte must belong to exactly one thing.

Python's own `zipfile` is lenient by design (junk before and after, duplicates, overlapping entries), and
lenient readers disagree with each other; that is what hostile archives live on. The layout is section 4.3 of
the ZIP application note.
"""

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from struct import Struct
from typing import BinaryIO, Final

from workers.archives import archive_limits
from workers.archives.errors import ArchiveError, Code, shown
from workers.archives.extras import check_extra
from workers.archives.names import NameTable, decode_name, split_name

LOCAL: Final = Struct("<4s5H3L2H")
CENTRAL: Final = Struct("<4s6H3L5H2L")
END: Final = Struct("<4s4H2LH")
LOCAL_SIGN: Final = b"PK\x03\x04"
CENTRAL_SIGN: Final = b"PK\x01\x02"
END_SIGN: Final = b"PK\x05\x06"
ZIP64_SIGN: Final = b"PK\x06\x07"
DESCRIPTOR_SIGN: Final = b"PK\x07\x08"
LONGEST_COMMENT: Final = 0xFFFF
STORED: Final = 0
DEFLATED: Final = 8
ENCRYPTED: Final = 1 | 1 << 6 | 1 << 13
DESCRIPTOR: Final = 1 << 3
LATEST_FORMAT: Final = 46
"""Info-ZIP refuses what says that it needs more than version 4.6 of the note; deflated files need 2.0."""
KNOWN_FLAGS: Final = ENCRYPTED | 1 << 1 | 1 << 2 | DESCRIPTOR | 1 << 11
DOS_LABEL: Final = 1 << 3
DOS_FOLDER: Final = 1 << 4
SPECIAL_BITS: Final = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX


@dataclass(frozen=True)
class ZipEntry:
    """One file or folder, as the central directory describes it and the local header confirms."""

    parts: tuple[str, ...]
    is_folder: bool
    is_executable: bool
    is_deflated: bool
    crc: int
    packed: int
    size: int
    start: int
    """Where its bytes begin in the archive."""

    @property
    def name(self) -> str:
        return "/".join(self.parts)


@dataclass(frozen=True)
class Central:
    """One record of the central directory, not yet judged."""

    raw_name: bytes
    extra: bytes
    version: int
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    attributes: int
    header: int

    @property
    def mode(self) -> int:
        """The permissions and kind of a Unix file, if the archive states them."""
        return self.attributes >> 16


def read_directory(file: BinaryIO, length: int) -> list[ZipEntry]:
    """Return all entries of an archive of this length, or raise ArchiveError."""
    check_length(length)
    if read_at(file, 0, 4) != LOCAL_SIGN:
        raise ArchiveError(Code.NOT_A_ZIP, "This is no zip archive: it does not begin with a file.")
    count, offset, end = find_end(file, length)
    names = NameTable()
    records = read_central(file, count, offset, end)
    entries = []
    position = 0
    for record in sorted(records, key=lambda record: record.header):
        entry, position_after = read_entry(file, record, position, offset)
        names.add(entry.parts, entry.is_folder)
        entries.append(entry)
        position = position_after
    if position != offset:
        raise ArchiveError(Code.EXTRA_BYTES, "The archive has bytes that belong to no file. Pack it again.")
    check_sizes(entries)
    return entries


def read_at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)


def find_end(file: BinaryIO, length: int) -> tuple[int, int, int]:
    """Return the number of entries and where the central directory begins and ends."""
    tail_start = max(0, length - END.size - LONGEST_COMMENT)
    tail = read_at(file, tail_start, length - tail_start)
    found = tail.rfind(END_SIGN)
    if found < 0 or len(tail) - found < END.size:
        raise ArchiveError(Code.DAMAGED, "The archive has no end: it was cut short. Upload it again.")
    _, disk, first_disk, here, count, size, offset, comment = END.unpack_from(tail, found)
    end = tail_start + found
    if end + END.size + comment != length:
        raise ArchiveError(Code.EXTRA_BYTES, "The archive has bytes after its end. Pack it again.")
    if 0xFFFF in (disk, first_disk, here, count) or 0xFFFFFFFF in (size, offset):
        raise ArchiveError(
            Code.ZIP64, "The archive is in the zip64 format, which no bot needs. Pack it plainly."
        )
    if disk or first_disk or here != count:
        raise ArchiveError(Code.DAMAGED, "The archive is one part of several. Pack it into one file.")
    check_count(count)
    if offset + size != end:
        if read_at(file, max(0, end - 20), 4) == ZIP64_SIGN:
            raise ArchiveError(
                Code.ZIP64, "The archive is in the zip64 format, which no bot needs. Pack it plainly."
            )
        raise ArchiveError(Code.EXTRA_BYTES, "The archive has bytes that belong to no file. Pack it again.")
    return count, offset, end


def read_central(file: BinaryIO, count: int, offset: int, end: int) -> list[Central]:
    data = read_at(file, offset, end - offset)
    records = []
    position = 0
    for _ in range(count):
        if len(data) - position < CENTRAL.size:
            raise ArchiveError(Code.DAMAGED, "The archive's table of contents ends too early.")
        (
            sign,
            _,
            version,
            flags,
            method,
            _,
            _,
            crc,
            packed,
            size,
            name,
            extra,
            comment,
            disk,
            _,
            attributes,
            header,
        ) = CENTRAL.unpack_from(data, position)
        start = position + CENTRAL.size
        position = start + name + extra + comment
        if sign != CENTRAL_SIGN or disk or position > len(data):
            raise ArchiveError(Code.DAMAGED, "The archive's table of contents is damaged.")
        if 0xFFFFFFFF in (packed, size, header):
            raise ArchiveError(
                Code.ZIP64, "A file is in the zip64 format, which no bot needs. Pack it plainly."
            )
        raw_name, raw_extra = data[start : start + name], data[start + name : start + name + extra]
        records.append(
            Central(raw_name, raw_extra, version, flags, method, crc, packed, size, attributes, header)
        )
    if position != len(data):
        raise ArchiveError(Code.DAMAGED, "The archive names fewer files than it has.")
    return records


def read_entry(file: BinaryIO, record: Central, position: int, limit: int) -> tuple[ZipEntry, int]:
    """Judge one record, and return its entry and where the next one must begin."""
    name = decode_name(record.raw_name)
    parts = split_name(name)
    check_kind(record, name)
    check_extra(record.extra, record.raw_name, name)
    if record.header < position:
        raise ArchiveError(Code.OVERLAP, f"{shown(name)} shares its bytes with another file.")
    if record.header > position:
        raise ArchiveError(Code.EXTRA_BYTES, "The archive has bytes that belong to no file. Pack it again.")
    start = check_local(file, record, name)
    after = start + record.packed
    if after > limit:
        raise ArchiveError(Code.OVERLAP, f"{shown(name)} reaches beyond the place where files lie.")
    if record.flags & DESCRIPTOR:
        after += descriptor_length(file, record, after, name)
    entry = ZipEntry(
        parts,
        name.endswith("/"),
        bool(record.mode & stat.S_IXUSR),
        record.method == DEFLATED,
        record.crc,
        record.packed,
        record.size,
        start,
    )
    return entry, after


def check_kind(record: Central, name: str) -> None:
    """Allow plain files and folders only, whatever system the archive says it comes from."""
    if record.flags & ENCRYPTED:
        raise ArchiveError(Code.ENCRYPTED, f"{shown(name)} is encrypted.")
    is_usual = record.method in (STORED, DEFLATED) and record.version <= LATEST_FORMAT
    if record.flags & ~KNOWN_FLAGS or not is_usual:
        raise ArchiveError(
            Code.METHOD,
            f"{shown(name)} is packed in an unusual way: only stored and deflated files are accepted.",
        )
    is_folder = name.endswith("/")
    kind = stat.S_IFMT(record.mode)
    is_other = record.attributes & (DOS_LABEL if is_folder else DOS_LABEL | DOS_FOLDER)
    if is_other or kind not in (0, stat.S_IFDIR if is_folder else stat.S_IFREG):
        raise ArchiveError(
            Code.NOT_A_FILE, f"{shown(name)} is a link or a device, not a plain file or folder."
        )
    if record.mode & SPECIAL_BITS:
        raise ArchiveError(Code.PERMISSIONS, f"{shown(name)} has setuid, setgid or sticky permissions.")
    if (is_folder and record.size) or (record.method == STORED and record.packed != record.size):
        raise ArchiveError(Code.SIZE_LIE, f"The sizes of {shown(name)} contradict each other.")


def check_local(file: BinaryIO, record: Central, name: str) -> int:
    """Compare the header before the file with the table of contents; return where its bytes begin."""
    header = read_at(file, record.header, LOCAL.size)
    if len(header) < LOCAL.size or header[:4] != LOCAL_SIGN:
        raise ArchiveError(Code.DAMAGED, f"The header of {shown(name)} is damaged.")
    name_length: int
    extra: int
    _, version, flags, method, _, _, crc, packed, size, name_length, extra = LOCAL.unpack(header)
    told = (crc, packed, size)
    known = (record.crc, record.packed, record.size)
    agrees = told == known or (flags & DESCRIPTOR and not any(told))
    raw_name = file.read(name_length)
    if (flags, method, raw_name) != (record.flags, record.method, record.raw_name) or not agrees:
        raise ArchiveError(Code.SIZE_LIE, f"The archive contradicts itself about {shown(name)}.")
    if version > LATEST_FORMAT:
        raise ArchiveError(
            Code.METHOD,
            f"{shown(name)} is packed in an unusual way: only stored and deflated files are accepted.",
        )
    check_extra(file.read(extra), raw_name, name)
    return record.header + LOCAL.size + name_length + extra


def descriptor_length(file: BinaryIO, record: Central, offset: int, name: str) -> int:
    """Return the length of what tools that write in one go put after a file, once it agrees."""
    values = Struct("<3L").pack(record.crc, record.packed, record.size)
    found = read_at(file, offset, 16)
    if found == DESCRIPTOR_SIGN + values:
        return 16
    if found[:12] == values:
        return 12
    raise ArchiveError(Code.SIZE_LIE, f"What follows {shown(name)} contradicts the table of contents.")


def check_length(length: int) -> None:
    """Refuse an archive of too many bytes."""
    if length > archive_limits.ARCHIVE:
        raise ArchiveError(
            Code.TOO_LARGE, f"The archive is larger than {archive_limits.ARCHIVE // archive_limits.MIB} MiB."
        )


def check_count(count: int) -> None:
    """Refuse too many files and folders."""
    if count > archive_limits.ENTRIES:
        raise ArchiveError(
            Code.TOO_MANY_ENTRIES, f"The archive has {count} entries; {archive_limits.ENTRIES} are allowed."
        )


def check_unpacked(sizes: Iterable[tuple[str, int]]) -> None:
    """Refuse files that are too large once unpacked, one of them or all together."""
    total = 0
    for name, size in sizes:
        if size > archive_limits.FILE:
            most = archive_limits.FILE // archive_limits.MIB
            raise ArchiveError(Code.FILE_TOO_LARGE, f"{shown(name)} is larger than {most} MiB.")
        total += size
    if total > archive_limits.TOTAL:
        most = archive_limits.TOTAL // archive_limits.MIB
        raise ArchiveError(Code.UNPACKED_TOO_LARGE, f"The files are larger than {most} MiB together.")


def check_sizes(entries: list[ZipEntry]) -> None:
    """Refuse what declares itself too large; reading refuses what lies about its size."""
    check_unpacked((entry.name, entry.size) for entry in entries)
    for entry in entries:
        if entry.size > max(archive_limits.RATIO_COUNTS_FROM, archive_limits.RATIO * entry.packed):
            raise ArchiveError(
                Code.RATIO, f"{shown(entry.name)} unpacks to more than {archive_limits.RATIO} times its size."
            )
