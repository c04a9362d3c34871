"""Whatever bytes arrive, the reader answers or refuses: it never crashes, hangs or writes elsewhere."""

import io
import tempfile
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workers.archives.zips import GOOD, Part, make
from workers.archives import ArchiveError, check, extract, limits, pack_single_file
from workers.archives.manifest import read_manifest

SEEDS = (
    make(*GOOD),
    make(*GOOD, Part(b"lib/data", bytes(3000)), comment=b"x" * 30),
    make(*(Part(part.name, part.content, flags=0x808) for part in GOOD)),
    make(*GOOD, Part(b"a", b"stored", method=0)),
)
# Values at which parsers go wrong.
EDGES = (0, 1, 8, 12, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A good archive to which a few small or large things were done."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 5)):
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


@settings(max_examples=1500, deadline=None)
@given(mutated())
def test_a_mutated_archive_is_read_or_refused(data: bytes) -> None:
    try:
        contents = check(io.BytesIO(data))
    except ArchiveError as error:
        assert error.sentence.isprintable()
        return
    assert contents.size <= limits.TOTAL
    # What passes means the same to another reader, so nobody can show one thing and run another.
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except BadZipFile:
        return
    assert len(names) == len(contents.files)


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
