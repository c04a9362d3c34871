"""Probes for supervisors, balancers and alerts: is this process alive, and does the arena work?"""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from arena import health
from arena.hosts import operating


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Answer that this process serves; a supervisor restarts one that does not answer."""
    return HttpResponse("live\n", content_type="text/plain")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Answer what works, with 503 if something does not, and which languages the match hosts can play."""
    found = health.states()
    runtimes = operating.runtimes() if found["database"] else operating.Runtimes([], [], [], [])
    found["runtimes"] = not runtimes.trouble
    return JsonResponse({**found, **asdict(runtimes)}, status=200 if all(found.values()) else 503)
