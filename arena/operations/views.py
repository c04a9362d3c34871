"""What monitoring asks for."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import REGISTRY
from prometheus_client.core import Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from arena.operations.figures import ArenaFigures

LOOPBACK = {"127.0.0.1", "::1"}


class Everything(Collector):
    """What this process counts, and the figures of the arena."""

    def collect(self) -> Iterator[Metric]:
        yield from REGISTRY.collect()
        yield from ArenaFigures().collect()


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the metrics of this web process and of the whole arena.

    The format is that of Prometheus, or OpenMetrics for those who accept it: only that has exemplars.
    """
    if not may_read(request):
        sentence = "Send ARENA_METRICS_TOKEN as a bearer token; without one, only this machine may ask.\n"
        return HttpResponse(sentence, status=403, content_type="text/plain")
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(Everything()), content_type=content_type)


def may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return constant_time_compare(shown, settings.METRICS_TOKEN)
    # What a proxy on this machine forwards may come from anywhere.
    is_direct = not settings.PROXIES and "X-Forwarded-For" not in request.headers
    return is_direct and request.META.get("REMOTE_ADDR") in LOOPBACK
