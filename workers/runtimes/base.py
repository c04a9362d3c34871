"""What a sandbox knows of a runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class RuntimeMissingError(Exception):
    """This host cannot run or build such bots; the sentence says what to install."""


class EntryError(Exception):
    """The manifest's entry is nothing that its runtime runs: the author's mistake."""


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host that a program sees, always read-only."""

    source: Path
    target: str


def same_place(*paths: str | Path) -> tuple[Mount, ...]:
    """Mount paths where they are on the host, leaving out what the host lacks."""
    return tuple(Mount(Path(path), str(path)) for path in paths if Path(path).exists())


@dataclass(frozen=True)
class BotCommand:
    """A program to run inside a sandbox."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    warm: tuple[str, ...] = ()
    """The Python file and its arguments that a warm process can run to the same effect; empty if none."""


class Runtime(Protocol):
    """How bots of one kind are built and run. Inside, /bot is a bot's folder, /run/built what was built."""

    name: str

    def language(self, entry: str) -> str:
        """Return the language that a bot with this entry is written in, as people call it; or nothing."""

    def run_command(self, entry: str) -> BotCommand:
        """Return how to run a bot; raise RuntimeMissingError where that is impossible."""

    def build_command(self, entry: str) -> BotCommand:
        """Return how to check and build a bot. What it builds, if anything, it writes to descriptor 3.

        Raises EntryError for an entry that it does not build.
        """
