"""The files that make up the engine in the browser, each with the hash that a page demands of it."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.urls import reverse

from arena.browser.engine_archive import engine_archive
from arena.browser.pyodide_package import is_fetched, pyodide_folder, read_lock

WORKER = Path(__file__).parent / "worker" / "worker.js"
ARCHIVE = "engine.zip"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}


@dataclass(frozen=True)
class EngineFile:
    """One file: its bytes, or where they are; `packed` is its compressed form, if that is smaller."""

    name: str
    sha256: str
    size: int
    sent: int
    """How many bytes travel to a browser."""
    content: bytes | Path
    packed: bytes | Path | None = None

    @property
    def kind(self) -> str:
        return KINDS[Path(self.name).suffix]

    def read(self, is_packed: bool) -> bytes:
        content = self.packed if is_packed and self.packed is not None else self.content
        return content.read_bytes() if isinstance(content, Path) else content


@dataclass(frozen=True)
class EngineRelease:
    """The files that belong together. The name changes with any of them, so they may be cached for ever."""

    name: str
    files: dict[str, EngineFile]

    @property
    def sent(self) -> int:
        return sum(file.sent for file in self.files.values())


def release() -> EngineRelease | None:
    """Return what this arena serves; None where Pyodide was not fetched (yet)."""
    return _release(pyodide_folder()) if is_fetched() else None


@lru_cache(maxsize=2)
def _release(folder: Path) -> EngineRelease:
    hashes: dict[str, str] = read_lock()["files"]
    files = [_stored(folder / name, sha256) for name, sha256 in hashes.items()]
    files += [_own(ARCHIVE, engine_archive()), _own(WORKER.name, WORKER.read_bytes())]
    together = "\n".join(f"{file.name} {file.sha256}" for file in files)
    name = hashlib.sha256(together.encode()).hexdigest()[:16]
    return EngineRelease(name, {file.name: file for file in files})


def _stored(path: Path, sha256: str) -> EngineFile:
    """A file of Pyodide. Its hash is the one that our lock demands, whatever lies on the disk."""
    packed = path.with_name(f"{path.name}.gz")
    size = path.stat().st_size
    if not packed.is_file():
        return EngineFile(path.name, sha256, size, size, path)
    return EngineFile(path.name, sha256, size, packed.stat().st_size, path, packed)


def _own(name: str, data: bytes) -> EngineFile:
    sha256, packed = hashlib.sha256(data).hexdigest(), gzip.compress(data, 9, mtime=0)
    if name == ARCHIVE:  # it is compressed already
        return EngineFile(name, sha256, len(data), len(data), data)
    return EngineFile(name, sha256, len(data), len(packed), data, packed)


def engine_page() -> dict[str, Any] | None:
    """Return what a page tells its script: where the engine is, and what each file must be."""
    if (found := release()) is None:
        return None
    folder = reverse("engine-file", args=[found.name, "NAME"]).removesuffix("NAME")
    files = {
        name: {"sha256": file.sha256, "size": file.size}
        for name, file in found.files.items()
        if name != WORKER.name
    }
    return {"folder": folder, "worker": folder + WORKER.name, "archive": ARCHIVE, "files": files,
            "sent": found.sent}  # fmt: skip
