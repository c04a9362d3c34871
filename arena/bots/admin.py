"""The staff's pages for bots and versions: find them, read logs, bench, disqualify."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.accounts.requests import person_of
from arena.accounts.staff import KnownValues, LookOnly, act_with_reason
from arena.bots import selectors, services
from arena.bots.models import Bot, Version, VersionEvent
from workers.runtimes.registry import RUNTIMES


class VersionInline(admin.TabularInline):
    model = Version
    fk_name = "bot"
    fields = ("link", "status", "code", "runtime", "size", "created_at")
    readonly_fields = fields
    extra = 0
    can_delete = False
    max_num = 0

    @admin.display(description=gettext_lazy("version"))
    def link(self, version: Version) -> SafeString:
        page = reverse("admin:bots_version_change", args=[version.pk])
        return format_html('<a href="{}">{}</a>', page, version.number)


@admin.register(Bot)
class BotAdmin(LookOnly):
    list_display = (
        "name",
        "slug",
        "owner",
        "active_version_number",
        "is_house",
        "benched_at",
        "disqualified_at",
    )
    list_filter = (
        ("benched_at", admin.EmptyFieldListFilter),
        ("disqualified_at", admin.EmptyFieldListFilter),
        "is_house",
    )
    search_fields = ("slug", "name", "owner__username")
    list_select_related = ("owner", "active_version")
    inlines = [VersionInline]
    actions = ["bench", "disqualify", "reinstate"]

    @admin.display(description=gettext_lazy("active version"))
    def active_version_number(self, bot: Bot) -> int | None:
        return bot.active_version.number if bot.active_version else None

    @admin.action(description=gettext_lazy("Bench"), permissions=["view"])
    def bench(self, request: HttpRequest, rows: QuerySet[Bot]) -> TemplateResponse | None:
        staff = person_of(request)
        return act_with_reason(
            self, request, rows, _("Bench"), lambda bot, reason: services.bench(bot.pk, reason, staff)
        )

    @admin.action(description=gettext_lazy("Disqualify"), permissions=["view"])
    def disqualify(self, request: HttpRequest, rows: QuerySet[Bot]) -> TemplateResponse | None:
        staff = person_of(request)
        return act_with_reason(
            self,
            request,
            rows,
            _("Disqualify"),
            lambda bot, reason: services.disqualify(bot.pk, reason, staff),
        )

    @admin.action(description=gettext_lazy("Reinstate"), permissions=["view"])
    def reinstate(self, request: HttpRequest, rows: QuerySet[Bot]) -> TemplateResponse | None:
        staff = person_of(request)
        return act_with_reason(
            self, request, rows, _("Reinstate"), lambda bot, reason: services.reinstate(bot.pk, reason, staff)
        )


class EventInline(admin.TabularInline):
    model = VersionEvent
    fields = ("status", "at", "code", "reason", "log")
    readonly_fields = fields
    extra = 0
    can_delete = False
    max_num = 0


class RuntimeFilter(KnownValues):
    title, parameter_name, values = gettext_lazy("runtime"), "runtime", tuple(RUNTIMES)


@admin.register(Version)
class VersionAdmin(LookOnly):
    """Opening a version shows its logs, so it is recorded."""

    list_display = ("bot", "number", "status", "code", "runtime", "size", "created_at")
    list_filter = ("status", RuntimeFilter)
    search_fields = ("bot__slug", "bot__name", "bot__owner__username", "=sha256", "code")
    list_select_related = ("bot",)
    exclude = ("archive", "built_archive")
    inlines = [EventInline]
    actions = ["validate_again"]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        version = self.get_object(request, object_id)
        if version is not None and self.has_view_permission(request, version):
            selectors.open_private(request.user, version, "read logs")
        return super().change_view(request, object_id, *args, **kwargs)

    @admin.action(description=gettext_lazy("Validate again"), permissions=["view"])
    def validate_again(self, request: HttpRequest, rows: QuerySet[Version]) -> None:
        started = sum(services.validate_again(version.pk, person_of(request)) for version in rows)
        messages.success(request, _("%d versions are being validated again.") % started)
