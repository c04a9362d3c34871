"""The corpus of hostile archives: each is refused with its own code, and a sentence."""

import io
import stat
import zlib
from dataclasses import replace
from pathlib import Path
from struct import pack

import pytest

from tests.workers.archives.zips import (
    GOOD,
    MANIFEST,
    Part,
    by_zipfile,
    make,
    named,
    with_manifest,
    with_part,
)
from workers.archives import ArchiveError, Code, archive_limits, check, extract
from workers.archives.manifest import Manifest

ZEROS = bytes(1024 * 1024)
FILES = {"bot.toml": MANIFEST, "bot.py": b"print(1)\n"}

UNIX = pack("<2HB2L", 0x5455, 9, 3, 1, 2) + pack("<2H2BHBH", 0x7875, 7, 1, 2, 0, 2, 0)


def unicode_path(name: bytes, other: bytes) -> bytes:
    return pack("<2HBL", 0x7075, 5 + len(other), 1, zlib.crc32(name)) + other


HOSTILE: dict[str, tuple[Code, bytes]] = {
    "nothing": (Code.NOT_A_ZIP, b""),
    "a text": (Code.NOT_A_ZIP, b"#!/bin/sh\nrm -rf /\n"),
    "an empty zip": (Code.NOT_A_ZIP, make()),
    "junk before it, as in a program that unpacks itself": (Code.NOT_A_ZIP, b"MZ" + make(*GOOD)),
    "a file's header before it": (Code.EXTRA_BYTES, b"PK\3\4" + make(*GOOD)),
    "only a header": (Code.DAMAGED, b"PK\3\4"),
    "cut short": (Code.DAMAGED, make(*GOOD)[:-30]),
    "bytes after its end": (Code.EXTRA_BYTES, make(*GOOD, tail=b"junk")),
    "bytes between files and table": (Code.EXTRA_BYTES, make(*GOOD, gap=b"hidden")),
    "a second archive after it": (Code.EXTRA_BYTES, make(*GOOD) + make(*GOOD)),
    "fewer entries told than there are": (Code.DAMAGED, make(*GOOD, count=1)),
    "more entries told than there are": (Code.DAMAGED, make(*GOOD, count=3)),
    "zip64 by its count": (Code.ZIP64, make(*GOOD, count=0xFFFF)),
    "zip64 by a size": (Code.ZIP64, with_part(size=0xFFFFFFFF)),
    "zip64 by its locator": (
        Code.ZIP64,
        make(*GOOD)[:-22] + pack("<4sLQL", b"PK\6\7", 0, 0, 1) + make(*GOOD)[-22:],
    ),
    "several disks": (Code.DAMAGED, make(*GOOD)[:-18] + pack("<H", 1) + make(*GOOD)[-16:]),
    "501 files": (Code.TOO_MANY_ENTRIES, make(*GOOD, *(Part(f"f{n}".encode()) for n in range(499)))),
    "two files on the same bytes": (
        Code.OVERLAP,
        make(*GOOD, Part(b"twin.py", header=0, local_name=b"bot.toml")),
    ),
    "a file that reaches into the table": (Code.OVERLAP, with_part(method=0, packed=5000, size=5000)),
    "an offset beyond the end": (Code.EXTRA_BYTES, with_part(header=10**6)),
    "an extra field cut short": (Code.DAMAGED, with_part(extra=pack("<2H", 0x5455, 9) + b"12345")),
    "an extra field cut short in a header": (Code.DAMAGED, with_part(local_extra=pack("<2H", 0x5455, 1))),
    "an extra field of three bytes": (Code.DAMAGED, with_part(extra=b"\0\0\0")),
    "an extra field that goes on for a byte": (Code.DAMAGED, with_part(extra=pack("<2H", 0x5455, 1) + b"12")),
    "zip64 by an extra field": (Code.ZIP64, with_part(extra=pack("<2H2Q", 1, 16, 9, 9))),
    "zip64 by an extra field in a header": (Code.ZIP64, with_part(local_extra=pack("<2H2Q", 1, 16, 9, 9))),
    "encryption by an extra field": (Code.ENCRYPTED, with_part(extra=pack("<2H", 0x9901, 0))),
    "a link by an extra field": (Code.NOT_A_FILE, with_part(extra=pack("<2H", 0x756E, 0))),
    "a second name in an extra field": (
        Code.SIZE_LIE,
        with_part(extra=unicode_path(b"data.bin", b"../evil")),
    ),
    "a second name in a header's extra field": (
        Code.SIZE_LIE,
        with_part(local_extra=unicode_path(b"data.bin", b"evil.py")),
    ),
    "a folder by its attributes": (Code.NOT_A_FILE, with_part(dos=0x10)),
    "the label of a disk": (Code.NOT_A_FILE, with_part(dos=0x08)),
    "a header whose format is yet to come": (Code.METHOD, with_part(local_version=47)),
    "an encrypted file": (Code.ENCRYPTED, with_part(flags=1)),
    "strong encryption": (Code.ENCRYPTED, with_part(flags=1 << 6)),
    "a masked header": (Code.ENCRYPTED, with_part(flags=1 << 13)),
    "an unknown flag": (Code.METHOD, with_part(flags=1 << 5)),
    "a format that is yet to come": (Code.METHOD, with_part(version=47)),
    "bzip2": (Code.METHOD, with_part(method=12)),
    "lzma": (Code.METHOD, with_part(method=14)),
    "a symbolic link": (
        Code.NOT_A_FILE,
        with_part(content=b"/etc/passwd", method=0, mode=stat.S_IFLNK | 0o777),
    ),
    "a device": (Code.NOT_A_FILE, with_part(content=b"", method=0, mode=stat.S_IFCHR | 0o666)),
    "a pipe": (Code.NOT_A_FILE, with_part(content=b"", method=0, mode=stat.S_IFIFO | 0o666)),
    "a socket": (Code.NOT_A_FILE, with_part(content=b"", method=0, mode=stat.S_IFSOCK | 0o666)),
    "a folder that claims to be a file": (Code.NOT_A_FILE, with_part(mode=stat.S_IFDIR | 0o755)),
    "a folder with content": (Code.SIZE_LIE, with_part(name=b"d/", mode=stat.S_IFDIR | 0o755)),
    "setuid": (Code.PERMISSIONS, with_part(mode=stat.S_IFREG | 0o4755)),
    "setgid": (Code.PERMISSIONS, with_part(mode=stat.S_IFREG | 0o2755)),
    "sticky": (Code.PERMISSIONS, with_part(mode=stat.S_IFREG | 0o1755)),
    "a parent path": (Code.NAME_PATH, named("../evil.py")),
    "a parent path further in": (Code.NAME_PATH, named("a/../../evil.py")),
    "an absolute path": (Code.NAME_PATH, named("/etc/cron.d/evil")),
    "a drive": (Code.NAME_PATH, named("C:evil.py")),
    "a stream of a file": (Code.NAME_PATH, named("bot.py:hidden")),
    "backslashes": (Code.NAME_PATH, named("..\\evil.py")),
    "a dot": (Code.NAME_PATH, named("./a.py")),
    "two slashes": (Code.NAME_PATH, named("a//b.py")),
    "an empty name": (Code.NAME_PATH, named("")),
    "only a slash": (Code.NAME_PATH, named("/")),
    "a zero in a name": (Code.NAME_CHARACTERS, named("a\0.py")),
    "a line end in a name": (Code.NAME_CHARACTERS, named("a\nb.py")),
    "an escape sequence in a name": (Code.NAME_CHARACTERS, named("\x1b[2Ja.py")),
    "text that runs backwards": (Code.NAME_CHARACTERS, named("a\u202eyp.exe")),
    "a name that is no UTF-8": (Code.NAME_ENCODING, named(b"\xff\xfe.py")),
    "a surrogate in a name": (Code.NAME_ENCODING, named(b"\xed\xa0\x80.py")),
    "a long name": (Code.NAME_LENGTH, named("a" * 101)),
    "a part too long for file systems": (Code.NAME_LENGTH, named("\U0001f40d" * 90)),
    "nine folders deep": (Code.NAME_DEPTH, named("a/" * 8 + "b.py")),
    "a device's name": (Code.NAME_RESERVED, named("CON")),
    "a device's name with an extension": (Code.NAME_RESERVED, named("lib/nul.txt")),
    "a device's name with a space": (Code.NAME_RESERVED, named("aux .py")),
    "a dot at the end": (Code.NAME_RESERVED, named("a.py.")),
    "a space at the end": (Code.NAME_RESERVED, named("a.py ")),
    "a name twice": (Code.NAME_TWICE, make(*GOOD, Part(b"bot.py", b"evil()"))),
    "two manifests": (Code.NAME_TWICE, make(*GOOD, Part(b"bot.toml", MANIFEST))),
    "names that differ by case": (Code.NAME_CASE, named("BOT.py")),
    "folders that differ by case": (Code.NAME_CASE, make(*GOOD, Part(b"Lib/a.py"), Part(b"lib/b.py"))),
    "names that differ by a ligature": (Code.NAME_CASE, make(*GOOD, Part("ﬁ.py".encode()), Part(b"fi.py"))),
    "names that differ by composition": (
        Code.NAME_TWICE,
        make(*GOOD, Part("é.py".encode()), Part("e\u0301.py".encode())),
    ),
    "a file used as a folder": (Code.FILE_AS_FOLDER, named("bot.py/evil.py")),
    "a folder used as a file": (Code.FILE_AS_FOLDER, make(Part(b"x/y"), Part(b"x"), *GOOD)),
    "a file of 21 MiB": (Code.FILE_TOO_LARGE, with_part(content=ZEROS * 21)),
    "60 MiB in all": (
        Code.UNPACKED_TOO_LARGE,
        make(
            *GOOD,
            *(Part(f"f{n}".encode(), size=15 * archive_limits.MIB, raw=bytes(200_000)) for n in range(4)),
        ),
    ),
    "a bomb": (Code.RATIO, with_part(content=ZEROS * 8)),
    "a bomb that tells a small size": (Code.SIZE_LIE, with_part(content=ZEROS * 8, size=100)),
    "less than it tells": (Code.SIZE_LIE, with_part(content=b"x" * 50, size=60)),
    "two sizes for a stored file": (Code.SIZE_LIE, with_part(method=0, size=60)),
    "another size in the header": (Code.SIZE_LIE, with_part(local_size=7)),
    "another name in the header": (Code.SIZE_LIE, with_part(local_name=b"evil.bin")),
    "a lying descriptor": (Code.SIZE_LIE, with_part(flags=8, descriptor=pack("<4s3L", b"PK\7\x08", 1, 2, 3))),
    "a wrong checksum": (Code.CHECKSUM, with_part(crc=1)),
    "bytes after a packed file's own end": (
        Code.EXTRA_BYTES,
        with_part(content=b"", raw=b"\3\0" + b"hidden", crc=0),
    ),
    "garbage where a packed file should be": (Code.DAMAGED, with_part(raw=b"\xff" * 40)),
    "a packed file without an end": (Code.DAMAGED, with_part(content=b"abc" * 99, raw=b"\x4a")),
    "no manifest": (Code.MANIFEST_MISSING, by_zipfile({"bot.py": b""})),
    "the manifest one folder too deep": (Code.MANIFEST_MISSING, by_zipfile({"my/bot.toml": MANIFEST})),
    "a large manifest": (Code.MANIFEST_TOO_LARGE, with_manifest(MANIFEST + b"#" * archive_limits.MANIFEST)),
    "a manifest that is no TOML": (Code.MANIFEST_UNREADABLE, with_manifest("name = ")),
    "a manifest that is no UTF-8": (Code.MANIFEST_UNREADABLE, with_manifest(b"\xff")),
    "a manifest that nests too deep": (Code.MANIFEST_UNREADABLE, with_manifest("x = " + "[" * 8000)),
    "a number too long to read": (Code.MANIFEST_UNREADABLE, with_manifest("x = " + "1" * 8000)),
    "a command line": (Code.MANIFEST_FIELD, with_manifest(MANIFEST + b'command = "rm -rf /"\n')),
    "no name": (Code.MANIFEST_FIELD, with_manifest('runtime = "python"\nentry = "bot.py"\n')),
    "a number as a name": (
        Code.MANIFEST_FIELD,
        with_manifest('name = 1\nruntime = "python"\nentry = "bot.py"'),
    ),
    "a name with a line end": (
        Code.MANIFEST_FIELD,
        with_manifest('name = "a\\nb"\nruntime = "python"\nentry = "bot.py"'),
    ),
    "a long bot name": (
        Code.MANIFEST_FIELD,
        with_manifest(f'name = "{"a" * 61}"\nruntime = "python"\nentry = "bot.py"'),
    ),
    "an unknown runtime": (
        Code.MANIFEST_RUNTIME,
        with_manifest('name = "a"\nruntime = "bash"\nentry = "bot.py"'),
    ),
    "an entry that is not there": (
        Code.MANIFEST_ENTRY,
        with_manifest('name = "a"\nruntime = "python"\nentry = "../bot.py"'),
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_is_refused_with_its_code(what: str, tmp_path: Path) -> None:
    code, data = HOSTILE[what]
    with pytest.raises(ArchiveError) as refused:
        check(io.BytesIO(data))
    assert refused.value.code is code, refused.value.sentence
    assert refused.value.sentence.endswith((".", "folder."))
    assert refused.value.sentence.isprintable()
    with pytest.raises(ArchiveError):
        extract(io.BytesIO(data), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir() if path.name != "out"] == []


def test_an_archive_over_20_mib_is_refused_unread() -> None:
    with pytest.raises(ArchiveError) as refused:
        check(io.BytesIO(make(*GOOD) + bytes(archive_limits.ARCHIVE)))
    assert refused.value.code is Code.TOO_LARGE


def test_every_code_has_its_villain() -> None:
    assert {code for code, _ in HOSTILE.values()} | {Code.TOO_LARGE} == set(Code)


GOOD_ARCHIVES = {
    "by zipfile": by_zipfile(FILES),
    "by hand": make(*GOOD),
    "with a comment, as git writes": make(*GOOD, comment=b"0123456789abcdef"),
    "with descriptors, as streams have": make(*(Part(part.name, part.content, flags=0x808) for part in GOOD)),
    "with descriptors without a sign": make(
        Part(b"bot.toml", MANIFEST), Part(b"bot.py", b"", method=0, flags=8, descriptor=pack("<3L", 0, 0, 0))
    ),
    "with times and owners, as zip writes": make(
        *(replace(part, extra=UNIX, local_extra=UNIX + b"xx\0\0") for part in GOOD)
    ),
    "with a name in Unicode too": make(
        *(replace(part, extra=unicode_path(part.name, part.name)) for part in GOOD)
    ),
    "with attributes of DOS": make(
        *GOOD, Part(b"lib/", b"", method=0, mode=0, dos=0x10), Part(b"lib/a.py", mode=0, dos=0x20)
    ),
    "stored": make(*(Part(part.name, part.content, method=0) for part in GOOD)),
    "with folders": make(*GOOD, Part(b"lib/", b"", method=0, mode=stat.S_IFDIR | 0o755), Part(b"lib/a.py")),
    "with names in Nahuatl and Greek": make(*GOOD, Part("tlahtoāni.py".encode()), Part("λ.py".encode())),
    "with an archive inside, which stays closed": make(*GOOD, Part(b"inner.zip", make(*GOOD))),
    "with a small file of zeros": make(*GOOD, Part(b"zeros", bytes(60_000))),
}


@pytest.mark.parametrize("how", GOOD_ARCHIVES)
def test_a_good_archive_is_read_and_unpacked_alike(how: str, tmp_path: Path) -> None:
    data = GOOD_ARCHIVES[how]
    contents = check(io.BytesIO(data))
    assert contents.manifest == Manifest("Jaguar", "python", "bot.py")
    assert extract(io.BytesIO(data), tmp_path / "out") == contents
    found = {
        str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    assert found == set(contents.files)
    assert (tmp_path / "out" / "bot.toml").read_bytes() == MANIFEST


def test_unpacking_keeps_only_whether_a_file_runs(tmp_path: Path) -> None:
    data = make(*GOOD, Part(b"run.sh", mode=stat.S_IFREG | 0o777))
    extract(io.BytesIO(data), tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out" / "run.sh").stat().st_mode) & 0o022 == 0
    assert stat.S_IMODE((tmp_path / "out" / "run.sh").stat().st_mode) & 0o100
    assert not stat.S_IMODE((tmp_path / "out" / "bot.py").stat().st_mode) & 0o111


def test_nothing_is_unpacked_into_a_folder_that_exists(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        extract(io.BytesIO(make(*GOOD)), tmp_path)
