"""What the staff's pages share: who may see them, acts with a reason, and which rows can be changed."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from arena.accounts import audit
from arena.accounts.permissions import is_staff, lacks_second_factor
from arena.accounts.requests import AuthorRequest, person_of


def staff_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let staff in, send visitors to the sign-in page, and tell everybody else that this is not for them."""

    @login_required
    @wraps(view)
    def guarded(request: AuthorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if lacks_second_factor(request.user):
            return ask_for_second_factor(request)
        if not is_staff(request.user):
            raise PermissionDenied(_("Only staff may see this."))
        return view(request, *args, **kwargs)

    return guarded


def ask_for_second_factor(request: HttpRequest) -> HttpResponse:
    """Send somebody whose role needs a second factor to where they add one."""
    messages.error(request, _("Your role needs a second factor here. Add an authenticator app or a passkey."))
    return redirect("security")


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
    """Ask for a reason, then do the act to each row; an act returns False where it was done already."""
    form = ReasonForm(request.POST if "reason" in request.POST else None)
    if form.is_bound and form.is_valid():
        done = [act(row, form.cleaned_data["reason"]) for row in rows]
        changed = sum(result is not False for result in done)
        messages.success(request, _("%(title)s: %(count)d changed.") % {"title": title, "count": changed})
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


class KnownValues(admin.SimpleListFilter):
    """A filter by values known beforehand, where Django would read all rows for those that occur."""

    values: Sequence[str] = ()

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, value) for value in self.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(Q((str(self.parameter_name), value))) if value in self.values else queryset


class BoundedPaginator(Paginator):
    """Counts no further than staff pages through by hand, so that a list of millions opens at once."""

    MOST = 5000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: self.MOST].count())


class OnlyOfferedLookups(admin.ModelAdmin):
    """Finds rows by the filters that its page offers, and by nothing else.

    Django's own pages accept every field, so a field that is not shown could be guessed letter by letter:
    `?secret__startswith=a`.
    """

    paginator = BoundedPaginator
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        filters = self.get_list_filter(request)
        offered = {
            getattr(entry, "parameter_name", None) or entry
            for entry in filters
            if not isinstance(entry, tuple)
        }
        offered |= {entry[0] for entry in filters if isinstance(entry, tuple)}
        return lookup.partition("__")[0] in offered and super().lookup_allowed(lookup, value, request)


class LookOnly(OnlyOfferedLookups):
    """Rows that only services write. Staff can find and read them, and act on several or on one."""

    change_form_template = "admin/row.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        acts = [(name, words) for _act, name, words in filter(None, self.get_actions(request).values())]
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "acts": acts})


class OnRecord(OnlyOfferedLookups):
    """Rows that staff edit by hand, which the audit log records. None is deleted: other rows refer to it."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        return self.note("add", request, obj, super().log_addition(request, obj, message))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        return self.note("change", request, obj, super().log_change(request, obj, message))

    def note(self, act: str, request: HttpRequest, obj: Model, entry: LogEntry) -> LogEntry:
        audit.record(person_of(request), f"{act} {self.opts.model_name}", obj, entry.get_change_message())
        return entry
