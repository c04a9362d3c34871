"""Packs a bot's folder into the archive that the arena takes."""

import io
import os
import zipfile
from pathlib import Path

from aztlan.errors import SdkError

LEFT_OUT = {"__pycache__", "node_modules", "target", "build"}
LARGEST = 20 * 1024 * 1024
MOST_FILES = 500
EARLIEST = (1980, 1, 1, 0, 0, 0)


def read_bot(path: Path) -> tuple[str, bytes]:
    """Return the name and content to upload of a folder, a zip archive or a single .py file."""
    if not path.exists():
        raise SdkError(f"there is no file or folder {path}")
    if path.is_dir():
        return f"{path.resolve().name}.zip", pack(path)
    if path.suffix not in {".zip", ".py"}:
        raise SdkError(f"{path} is neither a folder nor a .zip or .py file")
    try:
        size = path.stat().st_size
        # Looked at here: an arena that refuses so much breaks the connection off before it could say why.
        if size > LARGEST:
            raise SdkError(f"{path} has {size} bytes; 20 MiB are allowed")
        return path.name, path.read_bytes()
    except OSError as error:
        raise SdkError(f"{path} cannot be read: {error.strerror}") from None


def pack(folder: Path) -> bytes:
    """Pack a folder; the same files give the same bytes. What tools leave behind stays out."""
    if not (folder / "bot.toml").is_file():
        raise SdkError(f"{folder} has no bot.toml: `aztlan new` makes a folder with one")
    files = sorted(find_files(folder))
    if len(files) > MOST_FILES:
        raise SdkError(f"{folder} has {len(files)} files; {MOST_FILES} are allowed")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            info = zipfile.ZipInfo(file.relative_to(folder).as_posix(), EARLIEST)
            info.create_system = 3
            info.external_attr = (0o100755 if os.access(file, os.X_OK) else 0o100644) << 16
            archive.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
    if packed.tell() > LARGEST:
        raise SdkError(f"{folder} packs to {packed.tell()} bytes; 20 MiB are allowed")
    return packed.getvalue()


def find_files(folder: Path) -> list[Path]:
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        for name in files:
            file = Path(place, name)
            if name.startswith(".") or name.endswith(".pyc"):
                continue
            if file.is_symlink() or not file.is_file():
                raise SdkError(f"{file} is a link or no file: the arena takes plain files only")
            found.append(file)
    return found
