"""A bot as the arena takes it: what `aztlan upload` sends, and what `aztlan check` unpacks and plays."""

import io
import shutil
from dataclasses import dataclass
from pathlib import Path

from aztlan.errors import SdkError
from workers.archives import (
    ArchiveError,
    Contents,
    archive_limits,
    check,
    extract,
    list_folder,
    pack_folder,
    pack_single_file,
)
from workers.archives.manifest import LONGEST_NAME
from workers.archives.manifest import NAME as MANIFEST_NAME


@dataclass(frozen=True)
class Package:
    """What is sent for a folder, a zip archive or a single .py file."""

    path: Path
    file_name: str
    content: bytes
    left_out: tuple[str, ...] = ()
    """What is in the folder and does not belong to the bot."""

    @property
    def archive(self) -> bytes:
        """The archive that the arena keeps; it packs a single file itself."""
        return (
            pack_single_file(self.content, self.path.stem[:LONGEST_NAME])
            if self.path.suffix == ".py"
            else self.content
        )

    def check(self) -> Contents:
        """Read it as the arena does; ArchiveError where the arena refuses it."""
        return check(io.BytesIO(self.archive))

    def unpack(self, folder: Path) -> Contents:
        """Unpack it as a match host does, into a folder that must not exist yet."""
        try:
            return extract(io.BytesIO(self.archive), folder)
        except ArchiveError:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def read_package(path: Path) -> Package:
    """Read a bot; SdkError where nothing can be sent, ArchiveError where the arena would refuse it."""
    if not path.exists():
        raise SdkError(f"there is no file or folder {path}")
    try:
        if path.is_dir():
            return _pack(path.resolve())
        if path.suffix not in {".zip", ".py"}:
            raise SdkError(f"{path} is neither a folder nor a .zip or .py file")
        # Looked at here: an arena that refuses so much breaks the connection off before it could say why.
        if (size := path.stat().st_size) > archive_limits.ARCHIVE:
            raise SdkError(
                f"{path} has {size} bytes; {archive_limits.ARCHIVE // archive_limits.MIB} MiB are allowed"
            )
        return Package(path.resolve(), path.name, path.read_bytes())
    except OSError as error:
        raise SdkError(f"{error.filename or path} cannot be read: {error.strerror}") from None


def _pack(folder: Path) -> Package:
    if not (folder / MANIFEST_NAME).is_file():
        raise SdkError(f"there is no {MANIFEST_NAME} in {folder}; `aztlan new` makes a folder that has one")
    return Package(folder, f"{folder.name}.zip", pack_folder(folder), list_folder(folder).left_out)


def left_out_text(left_out: tuple[str, ...]) -> str:
    """Name the files that are not sent, the first few of them."""
    more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
    return ", ".join(left_out[:5]) + more
