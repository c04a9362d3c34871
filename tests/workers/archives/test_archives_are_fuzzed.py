"""Whatever bytes arrive, the reader answers or refuses: it never crashes, hangs or writes elsewhere."""

import io
import shutil
import stat
import subprocess
import tempfile
import unicodedata
from dataclasses import replace
from pathlib import Path
from struct import pack
from zipfile import ZipFile, ZipInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workers.archives.zips import GOOD, Part, make
from workers.archives import ArchiveError, archive_limits, check, extract, pack_single_file
from workers.archives.manifest import read_manifest

UTF8_MARK = 1 << 11
TIMES = pack("<2HB2L", 0x5455, 9, 3, 1, 2)
SEEDS = (
    make(*GOOD),
    make(*GOOD, Part(b"lib/data", bytes(3000)), comment=b"x" * 30),
    make(*(Part(part.name, part.content, flags=0x808) for part in GOOD)),
    make(*GOOD, Part(b"a", b"stored", method=0)),
    make(*(replace(part, extra=TIMES, local_extra=TIMES) for part in GOOD)),
)
EXTRAS = (0x0001, 0x000D, 0x5455, 0x7075, 0x756E, 0x7875, 0x9901)
# Values at which parsers go wrong.
EDGES = (0, 1, 8, 12, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A good archive to which a few small or large things were done."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 5)):
            case 0 if draw(st.booleans()):  # an extra field more, of any kind, in a place that may be right
                name = draw(st.sampled_from((b"bot.toml", b"bot.py")))
                at = max(0, data.find(name)) + len(name)
                data[at:at] = pack("<2H", draw(st.sampled_from(EXTRAS)), draw(st.integers(0, 20)))
            case 0:
                data[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case 1:
                width = draw(st.sampled_from((2, 4)))
                data[at : at + width] = (draw(st.sampled_from(EDGES)) & (256**width - 1)).to_bytes(
                    width, "little"
                )
            case 2:
                del data[at : at + draw(st.integers(1, 40))]
            case 3:
                data[at:at] = draw(st.binary(max_size=20))
            case 4:
                piece = data[at : at + draw(st.integers(1, 80))]
                to = draw(st.integers(0, len(data)))
                data[to:to] = piece
            case _:
                signs = (b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\7", b"PK\7\x08")
                data[at : at + 4] = draw(st.sampled_from(signs))
    return bytes(data)


block = st.builds(
    lambda kind, length, data: pack("<2H", kind, length or len(data)) + data,
    st.sampled_from(EXTRAS),
    st.sampled_from((0, 0, 0, 1, 30)),
    st.binary(max_size=12),
)
extra = st.lists(block, max_size=2).map(b"".join) | st.binary(max_size=5)
part = st.builds(
    Part,
    st.sampled_from((b"a.py", b"lib/b.py", "tlahtoāni.py".encode(), b"c/")),
    st.just(b"") | st.binary(max_size=50),
    method=st.sampled_from((0, 8)),
    flags=st.sampled_from((0, 0x800, 8, 0x808)),
    mode=st.sampled_from((0, stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777)),
    version=st.sampled_from((10, 20, 45, 46, 63)),
    local_version=st.sampled_from((10, 20, 46, 63)),
    extra=st.just(b"") | extra,
    local_extra=st.just(b"") | extra,
    dos=st.sampled_from((0, 0, 0x20, 0x10, 0x08)),
)
built = st.lists(part, max_size=2).map(lambda parts: make(*GOOD, *parts))


@settings(max_examples=1500, deadline=None)
@given(mutated() | built)
def test_a_mutated_archive_is_read_or_refused(data: bytes) -> None:
    try:
        contents = check(io.BytesIO(data))
    except ArchiveError as error:
        assert error.sentence.isprintable()
        return
    assert contents.size <= archive_limits.TOTAL
    assert by_zipfile(data) == unpacked(data) == sorted(unpacked(data))
    assert sorted(contents.files) == [name for name, _ in unpacked(data)]


def by_zipfile(data: bytes) -> list[tuple[str, bytes]]:
    """What another reader finds: whoever shows one thing and runs another would be found out here."""
    with ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        files = [info for info in archive.infolist() if not info.is_dir()]
        return sorted((as_utf8(info), archive.read(info)) for info in files)


def as_utf8(info: ZipInfo) -> str:
    """Return a name as UTF-8; `zipfile` takes one that is not marked for another alphabet."""
    raw = info.filename if info.flag_bits & UTF8_MARK else info.filename.encode("cp437").decode()
    return unicodedata.normalize("NFC", raw)


def unpacked(data: bytes) -> list[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        extract(io.BytesIO(data), out)
        files = [path for path in out.rglob("*") if path.is_file()]
        return sorted((path.relative_to(out).as_posix(), path.read_bytes()) for path in files)


@pytest.mark.skipif(shutil.which("unzip") is None, reason="unzip is not installed")
@settings(max_examples=300, deadline=None)
@given(mutated() | built)
def test_info_zip_reads_what_passes(data: bytes) -> None:
    try:
        check(io.BytesIO(data))
    except ArchiveError:
        return
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(data)
        file.flush()
        tested = subprocess.run(["unzip", "-tqq", file.name], capture_output=True, text=True, check=False)
    assert (tested.returncode, tested.stderr) == (0, "")


@settings(max_examples=250, deadline=None)
@given(mutated())
def test_unpacking_agrees_with_checking_and_stays_inside(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "a" / "out"
        out.parent.mkdir()
        try:
            expected = check(io.BytesIO(data))
        except ArchiveError as error:
            expected = error.code
        try:
            found = extract(io.BytesIO(data), out)
        except ArchiveError as error:
            found = error.code
        assert found == expected
        assert list(Path(folder).iterdir()) == [out.parent]
        assert list(out.parent.iterdir()) in ([], [out])


@settings(max_examples=250, deadline=None)
@given(st.binary(max_size=500) | st.text(max_size=300).map(str.encode))
def test_any_manifest_is_read_or_refused(data: bytes) -> None:
    try:
        manifest = read_manifest(data, frozenset({"bot.py"}))
    except ArchiveError as error:
        assert error.sentence.isprintable()
    else:
        assert manifest.entry == "bot.py"


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=60), st.binary(max_size=4000)
)
def test_a_single_file_becomes_a_good_archive(name: str, source: bytes) -> None:
    packed = pack_single_file(source, name)
    assert check(io.BytesIO(packed)).files == ("bot.toml", "bot.py")
    assert packed == pack_single_file(source, name)
