"""Builds the package that authors install, while the arena starts and runs."""

import subprocess
import sys

from arena.embedded.home import PROJECT, Home
from arena.embedded.process import Program, end_group, has_ended, last_words, spawn
from workers import env

BUILDER = PROJECT / "sdk" / "distribution"


class PackageBuild:
    """One run of `make sdk`, which builds nothing where nothing changed. The arena runs on without it."""

    def __init__(self, environment: dict[str, str], home: Home) -> None:
        self.log = home.logs / "package.log"
        self.process: subprocess.Popen[bytes] | None = None
        # Elsewhere than in a clone, or where an operator keeps the package, it is built ahead of time.
        if BUILDER.is_dir() and not env.text("ARENA_PACKAGES", ""):
            self.log.unlink(missing_ok=True)
            command = [sys.executable, str(BUILDER), "--if-changed", "--nice"]
            self.process = spawn(Program("package", command, environment, PROJECT, log=self.log))

    def tell(self) -> None:
        """Say once, after it has ended, that it failed."""
        if self.process is None or not has_ended(self.process):
            return
        code = end_group(self.process)
        self.process = None
        if code:
            print(
                f"WARNING: authors cannot install aztlan from here: {last_words(self.log)} (`make sdk`)",
                flush=True,
            )

    def stop(self) -> None:
        if self.process is not None:
            end_group(self.process)
            self.process = None
