"""What a sandbox knows about a runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class RuntimeMissingError(Exception):
    """This host cannot run or build such bots; the sentence says what to install."""


class EntryError(Exception):
    """The runtime cannot run the manifest's entry: the author's mistake."""


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host that a program sees, always read-only."""

    source: Path
    target: str


def same_place(*paths: str | Path) -> tuple[Mount, ...]:
    """Mount paths at the same place as on the host, leaving out those that do not exist."""
    return tuple(Mount(Path(path), str(path)) for path in paths if Path(path).exists())


@dataclass(frozen=True)
class BotCommand:
    """A program to run inside a sandbox."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    warm: tuple[str, ...] = ()
    """The Python file and arguments by which a warm process does the same; empty if it cannot."""


class Runtime(Protocol):
    """How bots of one kind are built and run. Inside, /bot is a bot's folder, /run/built what was built."""

    name: str

    def language(self, entry: str) -> str:
        """Return the name of the language of a bot with this entry, or an empty text."""

    def run_command(self, entry: str) -> BotCommand:
        """Return how to run a bot; raise RuntimeMissingError if this host cannot."""

    def build_command(self, entry: str) -> BotCommand:
        """Return how to check and build a bot. What it builds, if anything, it writes to descriptor 3.

        Raises EntryError for an entry that it does not build.
        """
