"""From an upload to an archive in storage: uploads are checked before they are stored."""

import hashlib
import io
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from arena.bots.errors import RefusedError
from workers import archives
from workers.archives import ArchiveError, archive_limits


@dataclass(frozen=True)
class Checked:
    """An upload that was checked: with a manifest if it is valid, otherwise with what is wrong."""

    file: File
    sha256: str
    size: int
    manifest: archives.Manifest | None
    code: str = ""
    reason: str = ""
    log: str = ""


def check_upload(upload: File, bot_name: str) -> Checked:
    """Check an upload. One that is empty or too large is refused outright."""
    if (upload.size or 0) > archive_limits.ARCHIVE:
        raise RefusedError(
            "too-large", _("Uploads are limited to %d MiB.") % (archive_limits.ARCHIVE // archive_limits.MIB)
        )
    if not upload.size:
        raise RefusedError("empty", _("The file is empty."))
    file = pack(upload, bot_name) if str(upload.name).lower().endswith(".py") else upload
    sha256 = digest(file)
    try:
        contents = archives.check(cast(BinaryIO, file))
    except ArchiveError as error:
        return Checked(file, sha256, file.size, None, error.code.value, error.sentence)
    listing = "\n".join(contents.files)
    log = f"{len(contents.files)} files, {contents.size} bytes unpacked\n{listing}\n"
    return Checked(file, sha256, file.size, contents.manifest, log=log)


def pack(upload: File, bot_name: str) -> File:
    """Pack a single Python file into an archive."""
    upload.seek(0)
    try:
        return ContentFile(archives.pack_single_file(upload.read(), bot_name))
    except ArchiveError as error:
        raise RefusedError(error.code.value, error.sentence) from None


def digest(file: File) -> str:
    file.seek(0)
    return hashlib.file_digest(cast(io.BufferedReader, file), "sha256").hexdigest()


def keep(checked: Checked, name: str) -> str:
    """Store the archive under a name that follows from its content, and return that name."""
    if default_storage.exists(name):
        return name
    checked.file.seek(0)
    return default_storage.save(name, checked.file)
