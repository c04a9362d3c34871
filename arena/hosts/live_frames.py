"""Live matches: public frames from match hosts, through a Redis stream, to spectators."""

import json
import logging
from typing import Any

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from redis import RedisError

from arena.hosts.attempts import Claimant, HostRefusedError
from arena.hosts.models import Attempt
from arena.redis_client import impatient_client
from workers.match.strict import DataError

log = logging.getLogger(__name__)

MOST_FRAMES = 5000
FRAME_BYTES = 64 * 1024
LONGEST_DELAY = 3600
KEPT_SECONDS = LONGEST_DELAY + 3600


def live_delay_field() -> "models.PositiveSmallIntegerField[int, int]":
    """Return the field of a ladder or tournament that delays what spectators see."""
    return models.PositiveSmallIntegerField(
        _("spectators' delay in seconds"),
        default=0,
        db_default=0,
        validators=[MaxValueValidator(LONGEST_DELAY)],
        help_text=_("Who watches a running match sees it so much later; 0: at once, 3600 at most."),
    )


def stream_key(public_id: str) -> str:
    """Return the stream's key. Its entries have `attempt` and `frame` (engine.replay.frames, as JSON)."""
    return f"live:{public_id}"


def publish(claimant: Claimant, frames: Any) -> None:
    """Pass frames on to spectators. Nothing else depends on them, so they are dropped while Redis is down."""
    public_id = (
        Attempt.objects.filter(
            pk=claimant.attempt_id, state=Attempt.State.RUNNING, key_hash=claimant.key_hash
        )
        .values_list("match__public_id", flat=True)
        .first()
    )
    if not public_id:
        raise HostRefusedError("This attempt is no longer yours.")
    if not isinstance(frames, list) or len(frames) > MOST_FRAMES:
        raise DataError("live.frames must be a list")
    try:
        texts = [json.dumps(frame, separators=(",", ":"), ensure_ascii=False) for frame in frames]
        sizes = [len(text.encode()) for text in texts]
    except (UnicodeEncodeError, RecursionError):
        raise DataError("a frame contains half of a surrogate pair, or is nested too deeply") from None
    if any(size > FRAME_BYTES for size in sizes):
        raise DataError("a frame is too large")
    client = impatient_client()
    try:
        with client.pipeline(transaction=False) as pipeline:
            for text in texts:
                pipeline.xadd(
                    stream_key(public_id),
                    {"attempt": str(claimant.attempt_id), "frame": text},
                    maxlen=MOST_FRAMES,
                )
            pipeline.expire(stream_key(public_id), KEPT_SECONDS)
            pipeline.execute()
    except RedisError as error:
        log.warning("live frames of %s were dropped: %s", public_id, error)
