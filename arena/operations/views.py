"""What monitoring asks for."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest

from arena.operations.figures import ArenaFigures

LOOPBACK = {"127.0.0.1", "::1"}


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the metrics of this web process and of the whole arena, in the format of Prometheus."""
    if not may_read(request):
        sentence = "Send ARENA_METRICS_TOKEN as a bearer token; without one, only this machine may ask.\n"
        return HttpResponse(sentence, status=403, content_type="text/plain")
    arena = CollectorRegistry()
    arena.register(ArenaFigures())
    return HttpResponse(generate_latest(REGISTRY) + generate_latest(arena), content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return constant_time_compare(shown, settings.METRICS_TOKEN)
    # What a proxy on this machine forwards may come from anywhere.
    is_direct = not settings.PROXIES and "X-Forwarded-For" not in request.headers
    return is_direct and request.META.get("REMOTE_ADDR") in LOOPBACK
