"""The extra fields of a zip entry: blocks of an id, a length and data, which must fill their place exactly.

Most are times and owners, and are ignored here. Some tell readers that know them another name, another size
or the target of a link: then two readers would see two archives.
"""

import zlib
from struct import Struct
from typing import Final

from workers.archives.errors import ArchiveError, Code, shown

BLOCK: Final = Struct("<2H")
ZIP64: Final = 0x0001
ENCRYPTION: Final = frozenset({0x0014, 0x0015, 0x0016, 0x0017, 0x0019, 0x9901})
LINKS: Final = frozenset({0x000D, 0x756E})
"""Of PKWARE and ASi: beside times and owners they may hold the kind of a file and where a link leads."""
UNICODE_PATH: Final = 0x7075
_UNICODE_PATH_HEAD: Final = Struct("<BL")


def check_extra(extra: bytes, raw_name: bytes, name: str) -> None:
    """Raise ArchiveError if an extra field is malformed or contradicts the entry."""
    position = 0
    while position < len(extra):
        if len(extra) - position < BLOCK.size:
            raise ArchiveError(Code.DAMAGED, f"The extra field of {shown(name)} is cut short. Pack it again.")
        kind, length = BLOCK.unpack_from(extra, position)
        position += BLOCK.size + length
        if position > len(extra):
            raise ArchiveError(Code.DAMAGED, f"The extra field of {shown(name)} is cut short. Pack it again.")
        check_block(kind, extra[position - length : position], raw_name, name)


def check_block(kind: int, data: bytes, raw_name: bytes, name: str) -> None:
    if kind == ZIP64:
        raise ArchiveError(
            Code.ZIP64, f"{shown(name)} is in the zip64 format, which no bot needs. Pack it plainly."
        )
    if kind in ENCRYPTION:
        raise ArchiveError(Code.ENCRYPTED, f"{shown(name)} is encrypted.")
    if kind in LINKS:
        raise ArchiveError(Code.NOT_A_FILE, f"{shown(name)} may be a link or a device: pack plain files.")
    is_same = data == _UNICODE_PATH_HEAD.pack(1, zlib.crc32(raw_name)) + raw_name
    if kind == UNICODE_PATH and not is_same:
        raise ArchiveError(Code.SIZE_LIE, f"The archive has two different names for {shown(name)}.")
