"""The outermost middleware: answers probes, and counts and times everything else."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Gauge, Histogram

from arena.operations import probes, views

# Probes come by address, not by name, and over plain HTTP: they are answered before either is looked at.
PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": probes.live,
    "/readyz": probes.ready,
    "/metrics": views.metrics,
}
# When a request came, by `time.perf_counter()`: it may have waited for its turn.
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
        began = request.META.get(ARRIVED, time.perf_counter())
        with OPEN.track_inprogress():
            response = self.get_response(request)
        note(request, response, began)
        return response


def note(request: HttpRequest, response: HttpResponse, began: float) -> None:
    method = request.method if request.method in METHODS else "other"
    route = request.resolver_match.route if request.resolver_match else "none"
    observe(method or "other", route, response.status_code, began)


def observe(method: str, route: str, status: int, began: float) -> None:
    SECONDS.labels(method, f"/{route}", status).observe(time.perf_counter() - began)
