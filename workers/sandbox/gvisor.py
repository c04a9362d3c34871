"""Isolation by a second kernel: gVisor's runsc answers a bot's system calls itself."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from workers.runtimes.base import Command
from workers.sandbox.base import IsolationError, Launch
from workers.sandbox.enter import INSIDE_ID
from workers.sandbox.layout import BOT_FOLDER, Step, layout
from workers.sandbox.program import Program


class Gvisor:
    """runsc runs as the slot's own uid, rootless, so that even a broken second kernel holds no rights."""

    def __init__(self) -> None:
        found = shutil.which("runsc")
        if not found:
            raise IsolationError("gVisor is not installed: `apt-get install runsc`, or choose another sandbox.")
        self.runsc = found

    def program(self, launch: Launch, command: Command, env: dict[str, str], uid: int | None) -> Program:
        bundle = Path(tempfile.mkdtemp(prefix="aztlan-bundle-"))
        bundle.chmod(0o755)
        (bundle / "config.json").write_text(json.dumps(configuration(launch, command, env)))
        return Program([], {})
