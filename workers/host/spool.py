"""Reports that the arena has not confirmed yet, kept on disk so that they outlive this process."""

import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError, AttemptClaim

log = logging.getLogger(__name__)


class Spool:
    """One file per attempt, complete or absent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, claim: AttemptClaim, report: Any) -> None:
        """Save a report; if the disk is full, it is only kept in memory."""
        target = self._path(claim)
        fresh = target.with_suffix(f".{os.getpid()}")
        try:
            fresh.touch(mode=0o600)
            fresh.write_text(json.dumps({"claim": asdict(claim), "report": report}))
            fresh.rename(target)
        except OSError as error:
            log.warning("the report of attempt %s is not on disk: %s", claim.attempt_id, error)
            with suppress(OSError):
                fresh.unlink(missing_ok=True)

    def drop(self, claim: AttemptClaim) -> None:
        self._path(claim).unlink(missing_ok=True)

    def waiting(self, older_than: float) -> Iterator[tuple[AttemptClaim, Any]]:
        """Yield the reports that have been here for longer than this many seconds."""
        for path in sorted(self.folder.glob("*.json")):
            try:
                if time.time() - path.stat().st_mtime < older_than:
                    continue
                data = json.loads(path.read_text())
                yield AttemptClaim(**data["claim"]), data["report"]
            except FileNotFoundError:  # sent meanwhile
                continue
            except (OSError, ValueError, TypeError, KeyError) as error:
                log.error("%s cannot be read and is set aside: %s", path, error)
                path.rename(path.with_suffix(".unreadable"))

    def send(self, client: ArenaClient, claim: AttemptClaim, report: Any) -> None:
        """Send a report and delete it once the answer is definite; raise ArenaError if there is none."""
        try:
            client.report(claim, report)
            log.debug("attempt %s is recorded", claim.attempt_id)
        except ArenaRefusedError as error:
            log.warning("the report of attempt %s was refused: %s", claim.attempt_id, error)
        self.drop(claim)

    def send_waiting(self, client: ArenaClient, older_than: float) -> None:
        """Send the waiting reports; stop at the first that gets no answer."""
        with suppress(ArenaError):
            for claim, report in self.waiting(older_than):
                self.send(client, claim, report)

    def _path(self, claim: AttemptClaim) -> Path:
        return self.folder / f"{claim.attempt_id}.json"
