"""Is the arena alive, and does its queue move? A worker that is alive but consumes nothing counts as down."""

from dataclasses import asdict

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from redis import Redis, RedisError

CONSUMED = "aztlan:health:consumed"
# The scheduler sends a note every 10 seconds; two may be late before the worker counts as down.
FRESH_SECONDS = 35


def redis_client() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2)


def note_consumption() -> None:
    with redis_client() as client:
        client.set(CONSUMED, "1", ex=FRESH_SECONDS)


def states() -> dict[str, bool]:
    """Return what works, by name."""
    found = {"database": True, "queue": True, "worker": False}
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
    except DatabaseError:
        found["database"] = False
    try:
        with redis_client() as client:
            found["worker"] = bool(client.exists(CONSUMED))
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
