"""The pages of notices and webhooks."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from arena.accounts.requests import AuthorRequest
from arena.notices import addresses, webhooks
from arena.notices.models import Webhook, WebhookDelivery


@login_required
@require_GET
def notices(request: AuthorRequest) -> HttpResponse:
    """Show the latest notices, and mark them as read."""
    latest = list(request.user.notices.all()[:100])
    request.user.notices.filter(read_at=None).update(read_at=timezone.now())
    return render(request, "notices/notices.html", {"notices": latest})


class WebhookForm(forms.Form):
    url = forms.URLField(
        label=gettext_lazy("Address"),
        max_length=500,
        assume_scheme="https",
        help_text=gettext_lazy(
            "An https address that we call when a match of yours is over or a tournament has news."
        ),
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
    """Show an author's webhooks with their latest calls, and a form to add one."""
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if webhooks.add(request.user, form.cleaned_data["url"]):
            return redirect("webhooks")
        form.add_error("url", _("You already have this webhook, or the maximum number of webhooks."))
    own = request.user.webhooks.all()
    calls = WebhookDelivery.objects.filter(webhook__in=own).select_related("webhook")[:20]
    return render(request, "notices/webhooks.html", {"form": form, "webhooks": own, "deliveries": calls})


@require_POST
@login_required
def delete_webhook(request: AuthorRequest, pk: int) -> HttpResponse:
    get_object_or_404(Webhook, pk=pk, owner=request.user).delete()
    return redirect("webhooks")
