"""The outermost middleware: answers probes, and counts and times everything else."""

import time
from collections.abc import Callable, Sequence

from django.db import connections
from django.http import HttpRequest, HttpResponse
from prometheus_client import Gauge, Histogram

from arena.operations import probes, views
from arena.operations.log_filter import READY
from workers import tracing

# Probes come by IP address and over plain HTTP, so they are answered before either is checked.
PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": probes.live,
    READY: probes.ready,
    "/metrics": views.metrics,
}
# When a request arrived, by `time.perf_counter()`, in its ASGI scope: it may have waited for its turn.
ARRIVED = "arena.arrived"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
SECONDS = Histogram(
    "arena_http_request_seconds",
    "Requests by route, until the answer begins.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
OPEN = Gauge("arena_http_requests_open", "Requests that this process is answering.")


class RequestTimer:
    """Times each request under the route that answered it: routes are few, addresses are not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if probe := PROBES.get(request.path):
            return probe(request)
        began = getattr(request, "scope", {}).get(ARRIVED) or time.perf_counter()
        try:
            with OPEN.track_inprogress(), tracing.collecting() as traces:
                response = self.get_response(request)
        finally:
            give_back_connections()
        note(request, response, began, traces)
        return response


def give_back_connections() -> None:
    """Close connections before the answer is sent: slow readers would keep them from others."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:  # as it is where a test holds a transaction around the request
            connection.close()


def note(request: HttpRequest, response: HttpResponse, began: float, traces: Sequence[str]) -> None:
    method = request.method if request.method in METHODS else "other"
    route = request.resolver_match.route if request.resolver_match else "none"
    observe(method or "other", route, response.status_code, began, traces)


def observe(method: str, route: str, status: int, began: float, traces: Sequence[str] = ()) -> None:
    """Count a request; the last of the traces that it wrote to becomes the example of its bucket."""
    exemplar = {"trace_id": traces[-1]} if traces else None
    SECONDS.labels(method, f"/{route}", status).observe(time.perf_counter() - began, exemplar)
