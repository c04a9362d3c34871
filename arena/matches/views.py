"""The operator's page, the public page of the queue, and authors' webhooks."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from arena import health
from arena.accounts import audit
from arena.accounts.requests import AuthorRequest
from arena.accounts.staff import staff_only
from arena.bots.models import Version
from arena.matches import addresses, hosts, operating, services, webhooks
from arena.matches.models import Host, Match, Webhook, WebhookDelivery
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
    return render(request, "matches/queue.html", context)


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
    }
    return render(request, "matches/operator.html", context)


@require_POST
@staff_only
def rerun(request: AuthorRequest, public_id: str) -> HttpResponse:
    match = get_object_or_404(Match, public_id=public_id)
    if services.rerun_match(match.pk, request.user, reason_in(request)):
        messages.success(request, _("Match %s is queued again.") % public_id)
    else:
        messages.error(request, _("Match %s is neither set aside nor played.") % public_id)
    return redirect("operator")


def reason_in(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:500] or _("Staff decided so.")


@require_POST
@staff_only
def void(request: AuthorRequest, public_id: str) -> HttpResponse:
    match = get_object_or_404(Match, public_id=public_id)
    if services.void_match(match.pk, reason_in(request), request.user):
        messages.success(request, _("Match %s is void.") % public_id)
    else:
        messages.error(request, _("Match %s was void already.") % public_id)
    return redirect("operator")


@require_POST
@staff_only
@transaction.atomic
def pause(request: AuthorRequest, name: str) -> HttpResponse:
    """Pause a host, which drains it, or let it go on."""
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
    services.request_build(version)
    audit.record(request.user, "rebuild", version)
    return redirect("operator")


class WebhookForm(forms.Form):
    url = forms.URLField(
        label=gettext_lazy("Address"),
        max_length=500,
        assume_scheme="https",
        help_text=gettext_lazy("An https address. It is called when a match of yours is over."),
    )

    def clean_url(self) -> str:
        url = str(self.cleaned_data["url"])
        try:
            addresses.check_url(url)
        except addresses.AddressError as error:
            raise forms.ValidationError(str(error)) from error
        return url


@login_required
def webhook_list(request: AuthorRequest) -> HttpResponse:
    """An author's webhooks: all of them with their latest calls, and a form for one more."""
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if webhooks.add(request.user, form.cleaned_data["url"]):
            return redirect("webhooks")
        form.add_error("url", _("You have this one already, or as many as are allowed."))
    own = request.user.webhooks.all()
    calls = WebhookDelivery.objects.filter(webhook__in=own).select_related("webhook")[:20]
    return render(request, "matches/webhooks.html", {"form": form, "webhooks": own, "deliveries": calls})


@require_POST
@login_required
def delete_webhook(request: AuthorRequest, pk: int) -> HttpResponse:
    get_object_or_404(Webhook, pk=pk, owner=request.user).delete()
    return redirect("webhooks")
