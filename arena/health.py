"""Does the arena work, and are its queues consumed? A worker that consumes nothing counts as down."""

from django.db import DatabaseError, connection
from redis import RedisError

from arena.redis_client import redis_client

CONSUMED = "aztlan:health:consumed:{queue}"
CLOCK = "aztlan:health:clock:{host}"
# The scheduler sends each queue a note every 10 seconds; two may be late before its worker counts as down.
FRESH_SECONDS = 35
WORKERS = {"worker": "arena", "calls": "calls", "heavy": "heavy"}
"""By the name that probes show: the queue whose worker it is."""


def note_consumption(queue: str) -> None:
    with redis_client() as client:
        client.set(CONSUMED.format(queue=queue), "1", ex=FRESH_SECONDS)


def note_clock(host: str, seconds: float) -> None:
    """Note by how many seconds a match host's clock is ahead of ours."""
    with redis_client() as client:
        client.set(CLOCK.format(host=host), repr(seconds), ex=FRESH_SECONDS)


def clock_of(host: str) -> float | None:
    with redis_client() as client:
        noted = client.get(CLOCK.format(host=host))
    return None if noted is None else float(noted)


def states() -> dict[str, bool]:
    """Return what works, by name."""
    found = {"database": True, "queue": True, **dict.fromkeys(WORKERS, False)}
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
    except DatabaseError:
        found["database"] = False
    try:
        with redis_client() as client:
            notes = client.mget([CONSUMED.format(queue=queue) for queue in WORKERS.values()])
        found |= {name: note is not None for name, note in zip(WORKERS, notes, strict=True)}
    except RedisError:
        found["queue"] = False
    return found
