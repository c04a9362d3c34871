"""What to start for a launch, as each kind of isolation decides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from workers.runtimes.base import BotCommand
from workers.sandbox.base import Launch
from workers.sandbox.enter import EnterRequest


@dataclass(frozen=True)
class SandboxProgram:
    """What a forked process does: execute `argv`, or enter a sandbox by itself."""

    argv: list[str]
    env: Mapping[str, str]
    filter: bytes = b""
    """The seccomp filter, passed on a descriptor or installed on entering."""
    enter: EnterRequest | None = None
    nested: bool = False
    """Whether there is a pid namespace; the status socket then tells its first process."""
    confirms: bool = False
    """Whether the program itself reports that the bot ran; if it does not, the host is at fault."""
    folders: list[Path] = field(default_factory=list)
    """What to remove afterwards."""


class Isolation(Protocol):
    """One way to isolate."""

    own_processes: int
    own_memory: int
    """What the sandbox itself needs, besides what its bot may use."""
    socket_mode: int
    """The mode of the seat's socket, which belongs to the sandbox's uid."""
    host_processes: bool
    """Whether each process of a bot is a process of the host, so that rlimits apply."""

    def program(
        self, launch: Launch, command: BotCommand, env: dict[str, str], uid: int | None
    ) -> SandboxProgram:
        """Return what to start for a launch that will run under a uid (None: the host's own)."""
