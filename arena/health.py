"""Is the arena alive, and do its queues move? A worker that is alive but consumes nothing counts as down."""

from dataclasses import asdict

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from redis import Redis, RedisError

CONSUMED = "aztlan:health:consumed:{queue}"
# The scheduler sends each queue a note every 10 seconds; two may be late before its worker counts as down.
FRESH_SECONDS = 35
WORKERS = {"worker": "arena", "calls": "calls", "heavy": "heavy"}
"""By the name that probes show: the queue whose worker it is."""


def redis_client() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2)


def note_consumption(queue: str) -> None:
    with redis_client() as client:
        client.set(CONSUMED.format(queue=queue), "1", ex=FRESH_SECONDS)


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


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Answer that this process serves; a supervisor restarts one that does not."""
    return HttpResponse("live\n", content_type="text/plain")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Answer what works, with 503 where something does not, and whose bots can play on the match hosts."""
    from arena.matches import operating  # which uses this module

    found = states()
    runtimes = operating.runtimes() if found["database"] else operating.Runtimes([], [], [], [])
    found["runtimes"] = not runtimes.trouble
    answer = JsonResponse({**found, **asdict(runtimes)}, status=200 if all(found.values()) else 503)
    # Whoever asks is told; Django would log each such answer as an error of the web server's own.
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
    return answer
