"""Public frames for live spectators, sent in batches while the match goes on; dropped if that fails."""

import asyncio
import logging
from typing import Any

from workers.host.arena_client import ArenaClient, ArenaError, ArenaRefusedError, AttemptClaim

log = logging.getLogger(__name__)

SEND_SECONDS = 1.0


class Spectators:
    """Collects frames and sends them every second. A shorter match can only be watched as a replay."""

    def __init__(self, client: ArenaClient, claim: AttemptClaim) -> None:
        self.client = client
        self.claim = claim
        self._frames: list[dict[str, Any]] = []
        self._is_live = False

    def show(self, frame: dict[str, Any]) -> None:
        self._frames.append(frame)

    async def send_regularly(self) -> None:
        while True:
            await asyncio.sleep(SEND_SECONDS)
            self._is_live = True
            await self._send()

    async def finish(self) -> None:
        """Send the last frames, if any were sent before."""
        if self._is_live:
            await self._send()

    async def _send(self) -> None:
        frames, self._frames = self._frames, []
        if not frames:
            return
        try:
            await asyncio.to_thread(self.client.show_frames, self.claim, frames)
        except (ArenaError, ArenaRefusedError) as error:
            log.warning("%s live frames were dropped: %s", len(frames), error)
