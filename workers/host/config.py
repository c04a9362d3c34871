"""The settings of a match host, from the environment."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from workers import env, tracing
from workers.runtimes.registry import LANGUAGES

MIB = 1024 * 1024


@dataclass(frozen=True)
class HostConfig:
    arena_url: str
    """Where the arena's HTTP API is."""
    key: str
    """The key by which match hosts identify themselves to the arena."""
    name: str
    folder: Path
    """Where archives are cached, and reports are kept until the arena has them. Sandboxes must reach it."""
    cache_bytes: int
    least_free_bytes: int
    """With less free space than this it takes no matches."""
    drain_seconds: int
    """How long running matches may continue once the host is asked to stop; then they are given back."""
    pin: bool
    """Keep each match, engine and bots, on one CPU, which saves switches between CPUs."""

    @property
    def bots(self) -> Path:
        return self.folder / "bots"

    @property
    def spool(self) -> Path:
        return self.folder / "spool" / self.name

    def create_folders(self) -> None:
        try:
            self.bots.mkdir(mode=0o755, parents=True, exist_ok=True)
            self.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise env.EnvError(
                f"MATCH_HOST_FOLDER must be a folder that this host may write to: {self.folder} cannot be "
                f"used ({reason})."
            ) from None


def read_config() -> HostConfig:
    tracing.collector()  # these two only so that they are named at start if they are wrong
    number_of_tables()
    return HostConfig(
        arena_url=env.web_address("ARENA_URL", "http://127.0.0.1:8000"),
        key=env.text("ARENA_HOST_KEY"),
        name=read_name(),
        folder=Path(env.text("MATCH_HOST_FOLDER", str(default_folder()))).absolute(),
        cache_bytes=env.number("MATCH_HOST_CACHE_MB", 2048, least=1) * MIB,
        least_free_bytes=env.number("MATCH_HOST_LEAST_FREE_MB", 256) * MIB,
        drain_seconds=env.number("MATCH_HOST_DRAIN_SECONDS", 50, least=1),
        pin=env.flag("MATCH_HOST_PIN", default=True),
    )


def number_of_tables() -> int:
    """Return how many tables with people this host plays beside its matches."""
    return env.number("MATCH_HOST_TABLES", 60)


def offered_languages() -> list[str]:
    """Return the languages whose bots this host should play."""
    offered = env.listing("MATCH_HOST_LANGUAGES", list(LANGUAGES))
    if unknown := [language for language in offered if language not in LANGUAGES]:
        raise env.EnvError(
            f"MATCH_HOST_LANGUAGES must be some of {', '.join(LANGUAGES)}, not {unknown[0]!r}."
        )
    return offered


def read_name() -> str:
    name = env.text("MATCH_HOST_NAME", socket.gethostname())
    if len(name) > 100 or not name.replace("-", "").replace(".", "").replace("_", "").isalnum():
        raise env.EnvError(f"MATCH_HOST_NAME may only have letters, digits, - . and _, not {name!r}.")
    return name


def default_folder() -> Path:
    if os.geteuid() == 0:
        return Path("/var/cache/aztlan-host")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aztlan-host"
