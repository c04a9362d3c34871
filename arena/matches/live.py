"""Matches as they are played: public frames from match hosts, through a Redis stream, to spectators."""

import json
import logging
from typing import Any

from redis import RedisError

from arena.health import redis_client
from arena.matches.attempts import Hold, RefusedError
from arena.matches.models import Attempt
from workers.match.strict import DataError

log = logging.getLogger(__name__)

MOST_FRAMES = 5000
KEPT_SECONDS = 3600
FRAME_BYTES = 64 * 1024


def stream_key(public_id: str) -> str:
    """Return the stream's key. Its entries have `attempt` and `frame`, a frame of workers.frames as JSON."""
    return f"live:{public_id}"


def publish(hold: Hold, frames: Any) -> None:
    """Pass frames on to spectators. They are for the eye only: where Redis is away, they are dropped."""
    public_id = (
        Attempt.objects.filter(pk=hold.attempt_id, state=Attempt.State.RUNNING, key_hash=hold.key_hash)
        .values_list("match__public_id", flat=True)
        .first()
    )
    if not public_id:
        raise RefusedError("This attempt is not yours (any more).")
    if not isinstance(frames, list) or len(frames) > MOST_FRAMES:
        raise DataError("live.frames must be a list")
    texts = [json.dumps(frame, separators=(",", ":")) for frame in frames]
    if any(len(text) > FRAME_BYTES for text in texts):
        raise DataError("a frame is too large")
    try:
        with redis_client() as client, client.pipeline(transaction=False) as pipeline:
            for text in texts:
                entry = {"attempt": str(hold.attempt_id), "frame": text}
                pipeline.xadd(stream_key(public_id), entry, maxlen=MOST_FRAMES)
            pipeline.expire(stream_key(public_id), KEPT_SECONDS)
            pipeline.execute()
    except RedisError as error:
        log.warning("live frames of %s were dropped: %s", public_id, error)
