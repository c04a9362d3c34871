"""Which names files may have: those that mean one place inside the folder on every file system."""

import unicodedata
from typing import Final

from workers.archives import archive_limits
from workers.archives.errors import ArchiveError, Code, shown

# On Windows these are devices, whatever extension follows.
RESERVED: Final = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [device + digit for device in ("com", "lpt") for digit in "0123456789¹²³"]
)
# Control, format (such as what reverses text), surrogate, private, unassigned, line and paragraph ends.
UNWANTED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def decode_name(raw: bytes) -> str:
    """Return the name, normalised (NFC). UTF-8 is the only encoding that all tools read the same way."""
    try:
        return unicodedata.normalize("NFC", raw.decode())
    except UnicodeDecodeError:
        raise ArchiveError(Code.NAME_ENCODING, f"The name {ascii(raw)[:80]} is not UTF-8.") from None


def split_name(name: str) -> tuple[str, ...]:
    """Return the parts of a safe name; raise ArchiveError for any other."""
    if len(name) > archive_limits.NAME:
        raise ArchiveError(
            Code.NAME_LENGTH, f"The name {shown(name)} has more than {archive_limits.NAME} characters."
        )
    if any(unicodedata.category(character) in UNWANTED for character in name):
        raise ArchiveError(Code.NAME_CHARACTERS, f"The name {shown(name)} has an invisible character.")
    if name.startswith("/") or "\\" in name or ":" in name:
        raise ArchiveError(
            Code.NAME_PATH,
            f"The name {shown(name)} is not a plain path: it must not have a leading /, a \\ or a :.",
        )
    parts = tuple(name.removesuffix("/").split("/"))
    if len(parts) > archive_limits.DEPTH:
        raise ArchiveError(Code.NAME_DEPTH, f"{shown(name)} lies deeper than {archive_limits.DEPTH} folders.")
    for part in parts:
        check_part(part, name)
    return parts


def check_part(part: str, name: str) -> None:
    if part in {"", ".", ".."}:
        raise ArchiveError(Code.NAME_PATH, f"The name {shown(name)} has an empty, . or .. part.")
    if part[-1] in ". ":
        raise ArchiveError(Code.NAME_RESERVED, f"A part of the name {shown(name)} ends in a dot or a space.")
    if part.partition(".")[0].rstrip(" ").casefold() in RESERVED:
        raise ArchiveError(Code.NAME_RESERVED, f"{shown(name)} is the name of a device on some systems.")
    if len(part.encode()) > archive_limits.PART_BYTES:
        raise ArchiveError(Code.NAME_LENGTH, f"A part of the name {shown(name)} has too many bytes.")


def canonical(part: str) -> str:
    """Return the form under which file systems that ignore case or letter variants would store the part."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", part).casefold())


class NameTable:
    """All names of an archive so far: none twice, none that differ only by case, no file used as a folder."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, ...], tuple[tuple[str, ...], bool]] = {}
        self.declared: set[tuple[str, ...]] = set()

    def add(self, parts: tuple[str, ...], is_folder: bool) -> None:
        for depth in range(1, len(parts)):
            self.note(parts[:depth], is_folder=True)
        key = self.note(parts, is_folder)
        if key in self.declared:
            raise ArchiveError(Code.NAME_TWICE, f"{shown('/'.join(parts))} is in the archive twice.")
        self.declared.add(key)

    def note(self, parts: tuple[str, ...], is_folder: bool) -> tuple[str, ...]:
        key = tuple(map(canonical, parts))
        spelled, was_folder = self.seen.setdefault(key, (parts, is_folder))
        if spelled != parts:
            both = f"{shown('/'.join(spelled))} and {shown('/'.join(parts))}"
            raise ArchiveError(Code.NAME_CASE, f"{both} are one name on systems that ignore case.")
        if was_folder != is_folder:
            raise ArchiveError(Code.FILE_AS_FOLDER, f"{shown('/'.join(parts))} is both a file and a folder.")
        return key
