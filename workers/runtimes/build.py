"""Builds a bot when it is submitted, also in a sandbox: without network, and with its own limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from workers.archives.archive_limits import BUILT
from workers.archives.reading import NEW_FILE
from workers.runtimes.base import EntryError
from workers.sandbox.base import MIB, Ending, Launch, ResourceLimits, Sandbox

BUILD_LIMITS = ResourceLimits(
    memory=1024 * MIB,
    processes=128,
    cpu_seconds=120,
    wall_seconds=180,
    file_size=256 * MIB,
    open_files=1024,
    tmp_size=512 * MIB,
)


@dataclass(frozen=True)
class BuildResult:
    """How a build went. The log is for the author; its bytes are a stranger's."""

    ok: bool
    reason: str
    log: bytes
    artifact: bytes
    """The program that was built; empty for languages that need none."""

    def save(self, path: Path) -> None:
        """Write the artifact to a new file on the host, for `Launch.artifact`."""
        descriptor = os.open(path, NEW_FILE, 0o755)
        with os.fdopen(descriptor, "wb") as file:
            file.write(self.artifact)


async def build_bot(
    sandbox: Sandbox, runtime: str, folder: Path, entry: str, limits: ResourceLimits = BUILD_LIMITS
) -> BuildResult:
    """Check and build a bot. A failed build is the author's problem; the host's own failures are raised.

    Raises RuntimeMissingError if this host lacks the tools, SandboxError if it cannot isolate them.
    """
    try:
        running = await sandbox.start(
            Launch(runtime, folder, entry, limits=limits, build=True, label="a build")
        )
    except EntryError as error:
        return BuildResult(False, str(error), b"", b"")
    try:
        exit_ = await running.wait()
    finally:
        running.kill("nobody waits for this build any more")
    ok = exit_.ending is Ending.EXITED and exit_.code == 0
    if ok and len(exit_.artifact) > BUILT:
        size, allowed = -(-len(exit_.artifact) // MIB), BUILT // MIB
        reason = f"the program that was built has {size} MiB, but only {allowed} MiB are allowed"
        return BuildResult(False, reason, exit_.output, b"")
    return BuildResult(ok, exit_.reason, exit_.output, exit_.artifact if ok else b"")
