"""What an author's machine packs, the arena takes; and nothing of a folder is dropped in silence."""

import io
import os
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.archives import (
    ArchiveError,
    Code,
    archive_limits,
    check,
    extract,
    list_folder,
    pack_folder,
    pack_single_file,
)
from workers.archives.packing import CACHE_SIGN

MANIFEST = 'name = "Jaguar"\nruntime = "python"\nentry = "bot.py"\n'
PART = st.sampled_from(["build", "target", "lib", "data", "a", "b", "Ocelot", "dist", "w0"])
NAMES = st.lists(PART, min_size=1, max_size=4).map("/".join)
CONTENTS = st.one_of(
    st.binary(max_size=200),
    st.integers(0, 300_000).map(bytes),  # shrinks to almost nothing
    st.integers(60_000, 80_000).map(lambda size: b"ab" * size),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.toml").write_text(MANIFEST)
    (tmp_path / "bot.py").write_text("print(1)\n")
    return tmp_path


def refused(folder: Path) -> Code:
    with pytest.raises(ArchiveError) as error:
        pack_folder(folder)
    return error.value.code


def contents_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@settings(deadline=None, max_examples=40)
@given(st.dictionaries(NAMES.map(lambda name: name + ".bin"), CONTENTS, max_size=6))
def test_whatever_is_packed_comes_out_of_the_arenas_reader_unchanged(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "bot")
        for name, content in {"bot.toml": MANIFEST.encode(), "bot.py": b"", **files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        packed = pack_folder(folder)
        assert packed == pack_folder(folder)
        extract(io.BytesIO(packed), Path(place, "unpacked"))
        assert contents_of(Path(place, "unpacked")) == contents_of(folder)


def test_what_tools_made_is_left_out_and_named(folder: Path) -> None:
    for name in (
        "__pycache__/bot.pyc",
        "node_modules/x/index.js",
        ".git/config",
        "target/debug/bot",
        "lib/a.pyc",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")
    (folder / "target" / "CACHEDIR.TAG").write_bytes(CACHE_SIGN + b"\n# made by cargo\n")
    (folder / ".env").write_text("secret")
    listing = list_folder(folder)
    assert listing.files == ("bot.py", "bot.toml")
    assert listing.left_out == (".env", ".git/", "__pycache__/", "lib/a.pyc", "node_modules/", "target/")


@pytest.mark.parametrize("target", ["/etc/hostname", "/etc"])
def test_a_link_to_a_file_or_a_folder_is_refused_rather_than_dropped(folder: Path, target: str) -> None:
    (folder / "elsewhere").symlink_to(target)
    assert refused(folder) is Code.NOT_A_FILE


def test_a_folder_beyond_a_limit_is_refused_for_the_arenas_own_reason(folder: Path) -> None:
    for name, size in (("a", archive_limits.FILE + 1), ("b", 0)):
        with (folder / name).open("wb") as file:
            file.truncate(size)  # takes no room, and is never read
    assert refused(folder) is Code.FILE_TOO_LARGE
    for name in "abc":
        os.truncate(folder / name, 0) if (folder / name).exists() else (folder / name).touch()
        os.truncate(folder / name, archive_limits.FILE)
    assert refused(folder) is Code.UNPACKED_TOO_LARGE
    for name in "abc":
        (folder / name).unlink()
    for number in range(archive_limits.ENTRIES):
        (folder / f"{number}.txt").touch()
    assert refused(folder) is Code.TOO_MANY_ENTRIES


def test_a_single_file_has_the_limit_of_single_files() -> None:
    assert (
        check(io.BytesIO(pack_single_file(b"#" * archive_limits.SOURCE, "Jaguar"))).manifest.entry == "bot.py"
    )
    with pytest.raises(ArchiveError, match="1 MiB at most"):
        pack_single_file(b"#" * (archive_limits.SOURCE + 1), "Jaguar")


def test_programs_stay_programs(folder: Path) -> None:
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    with zipfile.ZipFile(io.BytesIO(pack_folder(folder))) as archive:
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert modes == {"bot.py": 0o100644, "bot.toml": 0o100644, "tool": 0o100755}


def test_the_guide_names_the_limits_that_hold() -> None:
    page = " ".join((Path(__file__).parents[3] / "docs/write-a-bot.md").read_text().split())
    archive, total, source = (
        size // archive_limits.MIB
        for size in (archive_limits.ARCHIVE, archive_limits.TOTAL, archive_limits.SOURCE)
    )
    assert f"{archive} MiB and {archive_limits.ENTRIES} files, and unpack to at most {total} MiB" in page
    assert f"uploaded on its own may have {source} MiB" in page
