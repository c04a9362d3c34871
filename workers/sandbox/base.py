"""What the match runner and the builder know of sandboxes.

    sandbox = await open_sandbox(SandboxSettings())          # once per process, see workers.sandbox.choose
    running = await sandbox.start(Launch("python", folder, "bot.py", socket=socket_path))
    ...
    running.kill()                                           # everything inside dies; harmless if repeated
    exit = await running.wait()                              # returns when nothing is left on the host

However a bot ends, that is an `Exit`, and the bot's doing. Whatever the host itself failed to do is a
`SandboxError`, and never the bot's fault.
"""

from __future__ import annotations

import enum
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

MIB = 1024 * 1024
SOCKET_VARIABLE = "AZTLAN_SOCKET"
"""The environment variable that tells a bot the path of its seat's unix socket."""


class SandboxError(Exception):
    """The host failed: the match must be given to another host, and no bot is to blame."""


class IsolationError(SandboxError):
    """Isolation itself is not available here: this host must not take matches."""


@dataclass(frozen=True)
class ResourceLimits:
    """What one sandbox may use. Sizes in bytes, times in seconds."""

    memory: int = 256 * MIB
    processes: int = 64
    cpu_seconds: float = 120
    cpu_share: float = 1.0
    """How many CPUs it may keep busy at once."""
    wall_seconds: float = 600
    file_size: int = 64 * MIB
    open_files: int = 256
    tmp_size: int = 64 * MIB
    output_kept: int = 64 * 1024
    """How many of the last bytes of stdout and stderr are kept for the author."""
    output_allowed: int = 16 * MIB
    """A program that writes more than this in total is stopped, since reading it costs the host."""


@dataclass(frozen=True)
class Launch:
    """One program to run. Other users must be able to reach the folder and the socket (`open_run_folder`)."""

    runtime: str
    """A name of `workers.runtimes.registry.RUNTIMES`, as the bot's manifest has it."""
    folder: Path
    """The bot's own files, seen read-only inside as /bot."""
    entry: str
    """The file in the folder to run, as the manifest names it."""
    socket: Path | None = None
    """The seat's listening unix socket, which is given to the sandbox's uid. None when building."""
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    env: Mapping[str, str] = field(default_factory=dict)
    """Environment variables for the bot, besides the few that every bot gets. Never put a secret here."""
    cpus: frozenset[int] | None = None
    """The CPUs to stay on; None leaves it to the scheduler."""
    build: bool = False
    """Run the runtime's build command instead of the bot; what it builds comes back as `Exit.artifact`."""
    artifact: Path | None = None
    """The file that an earlier build made, which some runtimes run."""
    label: str = "bot"
    """Its name in the host's log."""


class Ending(enum.Enum):
    """Why a sandbox ended. All but KILLED (the host's own decision) are the bot's doing."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    MEMORY = "memory"
    CPU = "cpu"
    WALL = "wall"
    OUTPUT = "output"
    KILLED = "killed"


@dataclass(frozen=True)
class Exit:
    """How a sandbox ended; known once nothing of it is left on the host."""

    ending: Ending
    reason: str
    """One sentence for the report and the author."""
    code: int | None = None
    signal: int | None = None
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    output: bytes = b""
    """The last bytes of stdout and stderr: a stranger's bytes, so escape them wherever they are shown."""
    output_bytes: int = 0
    artifact: bytes = b""


class Running(Protocol):
    """A started sandbox, to be used from the event loop that started it."""

    @property
    def pid(self) -> int:
        """The host's process id of the sandbox's outermost process."""

    def kill(self, reason: str = "the match is over") -> None:
        """Kill everything inside at once, without waiting. Harmless if it is already dead."""

    def output_tail(self) -> bytes:
        """Return what is kept of stdout and stderr so far."""

    async def wait(self) -> Exit:
        """Wait for the end and the clean-up. Several tasks may wait, and wait again later.

        Raises SandboxError if the host could not set up the sandbox: then the bot's code never ran.
        """


@dataclass(frozen=True)
class Enforced:
    """What a host can enforce, for its log and the operator's page."""

    kind: str
    """bubblewrap, gvisor or none."""
    limits_by: str
    """cgroup v2, cgroup v1 or rlimits."""
    own_uids: bool
    """Whether each sandbox has its own uid on the host."""
    warm: bool
    """Whether Python bots are forked from a warm process."""
    reasons: tuple[str, ...] = ()
    """Why the host is degraded, one sentence each; empty when it is not."""

    @property
    def degraded(self) -> bool:
        """Whether the host should be kept off rated matches."""
        return bool(self.reasons)

    def __str__(self) -> str:
        uids = "one uid per sandbox" if self.own_uids else "one uid for all sandboxes"
        start = "warm start" if self.warm else "cold start"
        state = "degraded: " + " ".join(self.reasons) if self.degraded else "all limits enforced"
        return f"sandbox {self.kind}, limits by {self.limits_by}, {uids}, {start}; {state}"


class Sandbox(Protocol):
    """One kind of sandbox on this host."""

    @property
    def enforced(self) -> Enforced:
        """What this host can enforce, as found when it was opened."""

    async def start(self, launch: Launch) -> Running:
        """Start a program; raise SandboxError if the host cannot."""

    async def close(self) -> None:
        """Kill whatever still runs and release everything."""


@dataclass(frozen=True)
class SandboxSettings:
    """What an operator decides about sandboxes."""

    kind: str = "bubblewrap"
    """bubblewrap, gvisor or none."""
    allow_no_isolation: bool = False
    """Lets `none` run strangers' code with the host's own rights: for an author's own machine only."""
    warm: bool = True
    """Fork Python bots from a warm process (bubblewrap only)."""
    first_uid: int = 70_000
    """When the host runs as root, sandbox number n runs under the uid first_uid + n."""
    slots: int = 64
    """How many sandboxes a machine may run at once, over all its match hosts."""


def open_run_folder() -> Path:
    """Make a folder for a match's sockets that sandboxes can reach and nobody else can list."""
    folder = Path(tempfile.mkdtemp(prefix="aztlan-"))
    folder.chmod(0o711)
    return folder
