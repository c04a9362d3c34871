"""Bots' files on this host, by the SHA-256 of their archives: fetched and verified once, used often."""

import fcntl
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from workers.archives import ArchiveError, extract
from workers.host.assignment import AssignedBot

Fetch = Callable[[str], tuple[bytes, str]]
NEW = "new-"


class CacheError(Exception):
    """A bot's files are not available here. That is the host's or the arena's fault, never the bot's."""


class BotCache:
    """Folders named by digest, each complete or absent. Processes share them."""

    def __init__(self, folder: Path, limit: int, fetch: Fetch) -> None:
        self.folder = folder
        self.limit = limit
        self.fetch = fetch

    @contextmanager
    def source(self, bot: AssignedBot) -> Iterator[Path]:
        """Provide a bot's unpacked files; they stay at least until the block ends."""
        with self._held(bot.sha256, lambda folder: self._unpack(bot, folder)) as folder:
            yield folder / "bot"

    @contextmanager
    def built(self, bot: AssignedBot) -> Iterator[Path | None]:
        """Provide the program that was built from a bot, if there is one."""
        if bot.built is None or bot.built_key is None:
            yield None
            return
        path = bot.built
        with self._held(bot.built_key, lambda folder: self._store(path, folder)) as folder:
            yield folder / "built"

    @contextmanager
    def _held(self, name: str, fill: Callable[[Path], None]) -> Iterator[Path]:
        target = self.folder / name
        descriptor = self._hold(target)
        if descriptor is None:
            self._provide(target, fill)
            descriptor = self._hold(target)
            if descriptor is None:
                raise CacheError(f"{name} was removed from the cache at once: the cache is too small")
        try:
            os.utime(target)  # the least recently used ones go first
            yield target
        finally:
            os.close(descriptor)

    def _hold(self, target: Path) -> int | None:
        """Protect a folder from removal, by a lock that ends with this process."""
        try:
            descriptor = os.open(target, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if target.exists():
            return descriptor
        os.close(descriptor)  # it was removed while we waited for the lock
        return None

    def _provide(self, target: Path, fill: Callable[[Path], None]) -> None:
        self._make_room()
        fresh = Path(tempfile.mkdtemp(prefix=NEW, dir=self.folder))
        try:
            fresh.chmod(0o755)
            fill(fresh)
            with suppress(OSError):  # another process was faster, with the same content
                fresh.rename(target)
        except OSError as error:
            raise CacheError(f"{self.folder}: {error.strerror or error}") from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _unpack(self, bot: AssignedBot, folder: Path) -> None:
        data, _ = self.fetch(bot.source)
        if sha256(data).hexdigest() != bot.sha256:
            raise CacheError(f"the archive of {bot.name} is not the one that was requested")
        try:
            extract(io.BytesIO(data), folder / "bot")
        except ArchiveError as error:
            # The arena checked it on upload, so the two of us disagree.
            raise CacheError(f"the archive of {bot.name} does not unpack here: {error}") from error

    def _store(self, path: str, folder: Path) -> None:
        data, digest = self.fetch(path)
        if sha256(data).hexdigest() != digest:
            raise CacheError("a built file arrived incomplete")
        (folder / "built").write_bytes(data)
        (folder / "built").chmod(0o755)

    def _make_room(self) -> None:
        """Remove what has been unused for longest, until the cache is within its limit."""
        folders = sorted(
            (path for path in self.folder.iterdir() if not path.name.startswith(NEW)), key=age, reverse=True
        )
        sizes = {path: size_of(path) for path in folders}
        total = sum(sizes.values())
        for path in folders:
            if total <= self.limit:
                return
            if self._remove(path):
                total -= sizes[path]

    def _remove(self, path: Path) -> bool:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            return True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False  # a match uses it
        else:
            gone = path.with_name(f"{NEW}{path.name}-old-{os.getpid()}")
            path.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
            return True
        finally:
            os.close(descriptor)


def age(path: Path) -> float:
    with suppress(FileNotFoundError):
        return -path.stat().st_mtime
    return 0.0


def size_of(folder: Path) -> int:
    return sum(
        (Path(at) / name).lstat().st_size
        for at, _, names in os.walk(folder)
        for name in names
        if (Path(at) / name).exists()
    )
