"""What the staff's pages share: acts that need a reason, and rows that are looked at and not changed."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason, as the author will read it"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )


def act_with_reason(
    model_admin: "admin.ModelAdmin[Any]",
    request: HttpRequest,
    rows: QuerySet[Any],
    title: str,
    act: Callable[[Any, str], object],
) -> TemplateResponse | None:
    """Ask for a reason, then do the act to each row; what it returns as False was done already."""
    form = ReasonForm(request.POST if "reason" in request.POST else None)
    if form.is_bound and form.is_valid():
        done = [act(row, form.cleaned_data["reason"]) for row in rows]
        changed = sum(result is not False for result in done)
        messages.success(request, _("%(title)s: done for %(count)d.") % {"title": title, "count": changed})
        return None
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": title,
        "rows": rows,
        "form": form,
        "action": request.POST["action"],
    }
    return TemplateResponse(request, "admin/reason.html", context)


class LookOnly(admin.ModelAdmin):
    """Rows that only services write: staff finds and reads them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
