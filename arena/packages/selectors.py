"""What the package index has: the wheels of `aztlan` that `make sdk` built."""

import hashlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

PROJECT = "aztlan"
"""The only project of this index."""


@dataclass(frozen=True)
class Wheel:
    """One file of the index. `metadata` is the wheel's own, which pip reads before it fetches the file."""

    path: Path
    size: int
    sha256: str
    metadata: bytes
    metadata_sha256: str
    version: str
    requires_python: str

    @property
    def name(self) -> str:
        return self.path.name


def wheels() -> list[Wheel]:
    """Return the wheels in name order; none where the package was never built."""
    found = []
    for path in sorted(settings.PACKAGES.glob(f"{PROJECT}-*.whl")):
        try:
            stat = path.stat()
            found.append(_read(path, stat.st_mtime_ns, stat.st_size))
        except (OSError, zipfile.BadZipFile, StopIteration):
            continue  # it went, or is no wheel: whoever put it there will see that it is missing
    return found


def find_wheel(sha256: str, name: str) -> Wheel | None:
    return next((one for one in wheels() if one.name == name and one.sha256 == sha256), None)


@lru_cache(maxsize=32)
def _read(path: Path, _changed: int, size: int) -> Wheel:
    """Read a wheel once for each state of its file."""
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        metadata = archive.read(
            next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        )
    fields = dict(_fields(metadata.decode()))
    return Wheel(
        path,
        size,
        hashlib.sha256(data).hexdigest(),
        metadata,
        hashlib.sha256(metadata).hexdigest(),
        fields.get("Version", ""),
        fields.get("Requires-Python", ""),
    )


def _fields(metadata: str) -> Iterator[tuple[str, str]]:
    head, _, _ = metadata.partition("\n\n")
    for line in head.splitlines():
        name, _, value = line.partition(": ")
        yield name, value


@lru_cache(maxsize=1)
def usual_index() -> str:
    """Return where authors get everything else: ARENA_PACKAGE_INDEX, or the index of this machine's own pip.

    Empty where neither is known, or where the address holds a password or is no web address.
    """
    url = settings.PACKAGE_INDEX or os.environ.get("PIP_INDEX_URL") or _index_of_pip()
    parts = urlsplit(url)
    is_public = parts.scheme in {"http", "https"} and "@" not in parts.netloc
    return url.rstrip("/") + "/" if is_public else ""


def _index_of_pip() -> str:
    try:
        from pip._internal.configuration import Configuration
        from pip._internal.models.index import PyPI

        configuration = Configuration(isolated=False)
        configuration.load()
        return dict(configuration.items()).get("global.index-url") or PyPI.simple_url
    except Exception:  # noqa: BLE001  pip promises nothing about its insides, and it may be missing
        return ""
