"""Many people watch one match on one web process, and none of them misses a frame."""

import asyncio
import json

from redis import Redis

from arena.hosts.live_frames import stream_key
from bench._spectators import gather
from tests.e2e.matches import claim, new_match, played, public_frames

SPECTATORS = 500
FRAMES = 40


def test_five_hundred_spectators_get_every_frame_in_order(address: str, redis: Redis) -> None:
    match = new_match()
    claim(match)
    frames = public_frames(played(match))[:FRAMES]

    async def show() -> None:
        for frame in frames:
            redis.xadd(stream_key(match.public_id), {"attempt": "1", "frame": json.dumps(frame)})
            await asyncio.sleep(0)

    async def watched() -> list[list[int]]:
        spectators = await gather(address, match.public_id, SPECTATORS, FRAMES - 1, show)
        return [one.steps for one in spectators]

    assert asyncio.run(watched()) == [list(range(FRAMES))] * SPECTATORS
