"""The outermost middleware: answers probes, and counts and times everything else."""

import time
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse
from prometheus_client import Gauge, Histogram

from arena import health
from arena.operations import views

# Probes come by address, not by name, and over plain HTTP: they are answered before either is looked at.
PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": health.live,
    "/readyz": health.ready,
    "/metrics": views.metrics,
}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
SECONDS = Histogram(
    "arena_http_request_seconds",
    "Requests by route, until the answer begins.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
OPEN = Gauge("arena_http_requests_open", "Requests that this process is answering.")


class Watch:
    """Times each request under the route that answered it: routes are few, addresses are not."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        if self.is_async:
            return self.answer_later(request)
        if probe := PROBES.get(request.path):
            return probe(request)
        began = time.perf_counter()
        with OPEN.track_inprogress():
            response: HttpResponse = self.get_response(request)  # type: ignore[assignment]
        note(request, response, began)
        return response

    async def answer_later(self, request: HttpRequest) -> HttpResponse:
        if probe := PROBES.get(request.path):
            return await sync_to_async(probe)(request)
        began = time.perf_counter()
        with OPEN.track_inprogress():
            response: HttpResponse = await self.get_response(request)  # type: ignore[misc]
        note(request, response, began)
        return response


def note(request: HttpRequest, response: HttpResponse, began: float) -> None:
    method = request.method if request.method in METHODS else "other"
    route = request.resolver_match.route if request.resolver_match else "none"
    SECONDS.labels(method, f"/{route}", response.status_code).observe(time.perf_counter() - began)
