"""Whether this host should take work: enough disk space, and no recent trouble of its own."""

import json
import shutil
import time
from pathlib import Path

from workers.host.config import MIB, HostConfig

TROUBLE = "trouble.json"
FIRST_REST = 5.0
LONGEST_REST = 300.0


class Fitness:
    """Kept in a file, since the processes that find trouble are not the one that takes messages.

    A host that gives everything back at once would otherwise attract all work. So it rests after each
    trouble of its own, twice as long each time, until an attempt succeeds.
    """

    def __init__(self, config: HostConfig) -> None:
        self.config = config
        self.file = config.spool / TROUBLE

    def free_bytes(self) -> int:
        """Return the free space; 0 if the folder is gone."""
        try:
            return shutil.disk_usage(self.config.folder).free
        except OSError:
            return 0

    def trouble(self) -> str:
        """Return why this host should take nothing now, or an empty text."""
        if not self.config.folder.is_dir():
            return f"{self.config.folder} is not there."
        if self.free_bytes() < self.config.least_free_bytes:
            least = self.config.least_free_bytes // MIB
            return f"The disk of {self.config.folder} is full: less than {least} MiB are free."
        until, _, reason = self._read()
        return reason if time.time() < until else ""

    def note_trouble(self, reason: str) -> None:
        _, rest, _ = self._read()
        rest = min(max(rest * 2, FIRST_REST), LONGEST_REST)
        try:
            self.file.write_text(json.dumps([time.time() + rest, rest, reason]))
        except OSError:
            return  # the disk is full, which `trouble` notices by itself

    def note_success(self) -> None:
        self.file.unlink(missing_ok=True)

    def _read(self) -> tuple[float, float, str]:
        try:
            until, rest, reason = json.loads(Path(self.file).read_text())
            return float(until), float(rest), str(reason)
        except (OSError, ValueError, TypeError):
            return 0.0, 0.0, ""
