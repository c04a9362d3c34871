"""The folder of one arena's own data (`.arena` by default), and what is where in it."""

import fcntl
import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from workers import env

PROJECT = Path(__file__).resolve().parent.parent.parent
# sun_path holds 108 bytes with its closing zero; the longest name used is ".s.PGSQL.5432.lock".
LONGEST_SOCKET_FOLDER = 107 - len("/.s.PGSQL.5432.lock")


class BusyError(SystemExit):
    """Another process runs the arena of this folder."""


class Home:
    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.postgres = self.path / "postgres"
        self.redis = self.path / "redis"
        self.logs = self.path / "logs"

    @classmethod
    def from_environment(cls) -> "Home":
        return cls(Path(env.text("ARENA_HOME", str(PROJECT / ".arena"))))

    def create(self) -> None:
        try:
            for folder in (self.path, self.redis, self.logs):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.path / "lock").touch()
        except OSError as error:
            raise self.unusable(error) from None

    def unusable(self, error: OSError) -> SystemExit:
        reason = (error.strerror or str(error)).lower()
        return SystemExit(f"{self.path} cannot be used ({reason}): set ARENA_HOME to another folder.")

    def socket_folder(self, data: Path) -> Path:
        """Return where a server puts its socket: beside its data, or in /tmp where that path is too long."""
        if len(os.fsencode(data)) <= LONGEST_SOCKET_FOLDER:
            return data
        digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"arena-{digest}"

    @property
    def database_url(self) -> str:
        return (
            f"postgresql://postgres@/postgres?host={quote(str(self.socket_folder(self.postgres)), safe='')}"
        )

    @property
    def redis_socket(self) -> Path:
        return self.socket_folder(self.redis) / "redis.sock"

    @property
    def redis_url(self) -> str:
        return f"unix://{quote(str(self.redis_socket))}?db=0"

    def secret(self, name: str, characters: int) -> str:
        """Return the secret stored under this name, created at its first use."""
        file = self.path / name
        try:
            if not file.exists():
                self.make_secret(file, characters)
            return file.read_text()
        except OSError as error:
            raise self.unusable(error) from None

    def make_secret(self, file: Path, characters: int) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f"{file.name}.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(characters)[:characters])
        with suppress(FileExistsError):
            os.link(fresh, file)  # whoever links first decides, so two processes never disagree
        fresh.unlink()

    @contextmanager
    def locked(self, note: str) -> Iterator[None]:
        """Hold this folder's lock for the block, or say who holds it.

        The kernel frees the lock with its holder, however that ends, so it is never stale.
        """
        with (self.path / "lock").open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise BusyError(f"The arena in {self.path} is already running: {file.read()}.") from None
            file.truncate(0)
            file.write(f"process {os.getpid()}, {note}")
            file.flush()
            yield
