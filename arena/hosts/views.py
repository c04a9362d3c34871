"""The operator's page, and the public page of the queue."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from arena import health
from arena.accounts import audit
from arena.accounts.requests import AuthorRequest
from arena.accounts.staff import staff_only
from arena.bots.models import Version
from arena.hosts import operating, queueing
from arena.hosts import services as hosts
from arena.hosts.models import Host
from arena.hosts.proven_runtime import runtime_here
from arena.listeners import Happening, publish
from arena.matches import services
from arena.matches.models import Match
from arena.matches.visibility import conceal


@require_GET
def queue_page(request: HttpRequest) -> HttpResponse:
    context = {
        "hosts": operating.hosts(),
        "throughput": operating.throughput(),
        "queued": operating.queue_by_purpose(),
        "waited": operating.oldest_wait(),
        "matches": conceal(operating.running_matches(request.user), request.user),
    }
    return render(request, "hosts/queue.html", context)


@require_GET
def runtimes_page(request: HttpRequest) -> HttpResponse:
    return render(request, "hosts/runtimes.html", {"runtime": runtime_here()})


@require_GET
@staff_only
def operator_page(request: AuthorRequest) -> HttpResponse:
    context = {
        "works": {**health.states(), "runtimes": not (troubles := operating.runtimes().trouble)},
        "troubles": troubles,
        "hosts": operating.hosts(),
        "queues": operating.queues(),
        "throughput": operating.throughput(),
        "attempt_faults": operating.attempt_faults(),
        "bot_faults": operating.bot_faults(),
        "set_aside": operating.set_aside(),
        "waiting": operating.waiting_versions(),
        "corrections": [season for seasons in publish(Happening.CORRECTIONS_SHOWN, 20) for season in seasons],
    }
    return render(request, "hosts/operator.html", context)


@require_POST
@staff_only
def rerun(request: AuthorRequest, public_id: str) -> HttpResponse:
    match = get_object_or_404(Match, public_id=public_id)
    if services.rerun_match(match.pk, request.user, reason_in(request)):
        messages.success(request, _("Match %s will be played again.") % public_id)
    else:
        messages.error(request, _("Match %s is neither set aside nor finished.") % public_id)
    return redirect("operator")


def reason_in(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:500] or _("Decided by the staff.")


@require_POST
@staff_only
def void(request: AuthorRequest, public_id: str) -> HttpResponse:
    match = get_object_or_404(Match, public_id=public_id)
    if services.void_match(match.pk, reason_in(request), request.user):
        messages.success(request, _("Match %s voided.") % public_id)
    else:
        messages.error(request, _("Match %s was already void.") % public_id)
    return redirect("operator")


@require_POST
@staff_only
@transaction.atomic
def pause(request: AuthorRequest, name: str) -> HttpResponse:
    """Pause or resume a host."""
    host = get_object_or_404(Host, name=name)
    paused = request.POST.get("paused") == "yes"
    hosts.set_paused(name, paused)
    audit.record(request.user, "pause host" if paused else "resume host", host)
    return redirect("operator")


@require_POST
@staff_only
@transaction.atomic
def rebuild(request: AuthorRequest, version_id: int) -> HttpResponse:
    version = get_object_or_404(Version, pk=version_id)
    queueing.request_build(version)
    audit.record(request.user, "rebuild", version)
    return redirect("operator")
