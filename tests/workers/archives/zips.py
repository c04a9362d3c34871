"""Archives made byte by byte, so that each can be wrong in exactly one way."""

import io
import stat
import zipfile
import zlib
from dataclasses import dataclass, replace
from struct import pack

MANIFEST = b'name = "Jaguar"\nruntime = "python"\nentry = "bot.py"\n'


@dataclass(frozen=True)
class Part:
    """One file of an archive, with everything about it that can be told wrongly."""

    name: bytes
    content: bytes = b"print(1)\n"
    method: int = 8
    flags: int = 0x800
    mode: int = stat.S_IFREG | 0o644
    size: int | None = None
    packed: int | None = None
    crc: int | None = None
    local_name: bytes | None = None
    local_size: int | None = None
    descriptor: bytes | None = None
    raw: bytes | None = None
    header: int | None = None
    version: int = 20
    local_version: int = 20
    extra: bytes = b""
    local_extra: bytes = b""
    dos: int = 0


GOOD = (Part(b"bot.toml", MANIFEST), Part(b"bot.py"))


def deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def make(
    *parts: Part, gap: bytes = b"", count: int | None = None, tail: bytes = b"", comment: bytes = b""
) -> bytes:
    """Return an archive of the parts; `gap` lies before the table of contents, `tail` after the end."""
    body, table = b"", b""
    for part in parts:
        data = (
            part.raw if part.raw is not None else deflate(part.content) if part.method == 8 else part.content
        )
        size = len(part.content) if part.size is None else part.size
        packed = len(data) if part.packed is None else part.packed
        crc = zlib.crc32(part.content) if part.crc is None else part.crc
        told = (
            (0, 0, 0)
            if part.flags & 8
            else (crc, packed, size if part.local_size is None else part.local_size)
        )
        local_name = part.name if part.local_name is None else part.local_name
        offset = len(body) if part.header is None else part.header
        lengths = (len(local_name), len(part.local_extra))
        body += pack(
            "<4s5H3L2H", b"PK\3\4", part.local_version, part.flags, part.method, 0, 33, *told, *lengths
        )
        body += local_name + part.local_extra + data
        if part.flags & 8:
            values = pack("<3L", crc, packed, size)
            body += b"PK\7\x08" + values if part.descriptor is None else part.descriptor
        table += pack(
            "<4s6H3L5H2L", b"PK\1\2", 0x314, part.version, part.flags, part.method, 0, 33, crc, packed, size,
            len(part.name), len(part.extra), 0, 0, 0, part.mode << 16 | part.dos, offset,
        ) + part.name + part.extra  # fmt: skip
    total = len(parts) if count is None else count
    end = pack("<4s4H2LH", b"PK\5\6", 0, 0, total, total, len(table), len(body) + len(gap), len(comment))
    return body + gap + table + end + comment + tail


def named(name: str | bytes) -> bytes:
    """A good archive with one more file of this name."""
    raw = name if isinstance(name, bytes) else name.encode()
    is_folder = raw.endswith(b"/")
    mode = (stat.S_IFDIR | 0o755) if is_folder else (stat.S_IFREG | 0o644)
    return make(*GOOD, Part(raw, b"" if is_folder else b"x", method=0, mode=mode))


def with_part(**changes: object) -> bytes:
    """A good archive with one more file that is wrong in this way."""
    return make(*GOOD, replace(Part(b"data.bin"), **changes))  # type: ignore[arg-type]  # of any field


def with_manifest(text: str | bytes) -> bytes:
    return make(Part(b"bot.toml", text if isinstance(text, bytes) else text.encode()), Part(b"bot.py"))


def by_zipfile(files: dict[str, bytes], **options: object) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()
