"""The staff's pages for people, their tokens, and the audit log."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.accounts import audit, services
from arena.accounts.models import ApiToken, AuditEntry, TeamInvitation, TeamMembership, User
from arena.accounts.permissions import is_staff, may_appoint_staff, may_change_account
from arena.accounts.requests import person_of
from arena.accounts.staff import LookOnly, OnlyOfferedLookups, act_with_reason


def may_enter(request: HttpRequest) -> bool:
    return is_staff(request.user)


POWERS = ("is_active", "is_organiser", "is_staff", "is_superuser", "email", "password")

admin.site.site_header = _("Aztlán Arena: staff")
admin.site.site_title = _("Aztlán Arena")
admin.site.index_title = _("Find a person, a bot, a version or a match")
admin.site.has_permission = may_enter  # type: ignore[method-assign]  # as Django suggests, without a site of our own
admin.site.unregister(Group)  # roles are flags of a user; groups would be a second way to say the same


@admin.register(User)
class PersonAdmin(OnlyOfferedLookups, UserAdmin):
    list_display = (
        "username",
        "email",
        "is_confirmed",
        "is_organiser",
        "is_staff",
        "is_active",
        "is_team",
        "date_joined",
    )
    list_filter = (
        "is_team",
        "is_organiser",
        "is_staff",
        "is_active",
        ("email_confirmed_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("username", "email")
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "email_confirmed_at", "about")}),
        (_("Role"), {"fields": ("is_active", "is_organiser", "is_staff", "is_superuser")}),
        (_("Times"), {"fields": ("date_joined", "last_login")}),
    )
    readonly_fields = ("date_joined", "last_login")
    filter_horizontal = ()
    actions = ("remove_factors",)
    show_full_result_count = False

    @admin.display(description=_("confirmed"), boolean=True)
    def is_confirmed(self, person: User) -> bool:
        return person.email_confirmed_at is not None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people sign up themselves, with an address that they confirm

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # bots, results and the audit log refer to people: switch “active” off instead

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only superusers may change the accounts of staff."""
        if isinstance(obj, User) and not may_change_account(person_of(request), obj):
            return False
        return super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fields = tuple(super().get_readonly_fields(request, obj))
        return fields if may_appoint_staff(person_of(request)) else (*fields, "is_staff", "is_superuser")

    @admin.action(description=_("Remove second factors"), permissions=["view"])
    def remove_factors(self, request: HttpRequest, rows: QuerySet[User]) -> TemplateResponse | None:
        staff = person_of(request)
        return act_with_reason(
            self,
            request,
            rows,
            gettext("Remove second factors"),
            lambda person, reason: services.remove_second_factors(person, reason, staff),
        )

    @method_decorator(reauthentication_required(allow_get=True))
    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().change_view(request, *args, **kwargs)

    @method_decorator(reauthentication_required(allow_get=True))
    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002  as the base class calls it
        if User.objects.filter(pk=id, is_team=True).exists():
            raise PermissionDenied(gettext("Nobody signs in as a team, so it has no password."))
        answer = super().user_change_password(request, id, form_url)
        if isinstance(answer, HttpResponseRedirect):
            person = User.objects.get(pk=id)
            services.follow_new_password(person, keep_tokens=False)
            audit.record(person_of(request), "change an account", person, "password")
        return answer

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        touched = [name for name in form.changed_data if name in POWERS]
        if touched or not change:
            said = ", ".join(f"{name}={getattr(obj, name)}" for name in touched if name.startswith("is_"))
            audit.record(person_of(request), "change an account", obj, said or ", ".join(touched))


@admin.register(ApiToken)
class TokenAdmin(LookOnly):
    list_display = ("user", "name", "start", "scopes", "created_at", "last_used_at", "revoked_at")
    search_fields = ("user__username", "name", "start")
    list_select_related = ("user",)
    exclude = ("digest",)
    show_full_result_count = False


@admin.register(TeamMembership)
class MembershipAdmin(LookOnly):
    list_display = ("team", "person", "role", "joined_at")
    search_fields = ("team__username", "person__username")
    list_select_related = ("team", "person")
    show_full_result_count = False


@admin.register(TeamInvitation)
class InvitationAdmin(LookOnly):
    list_display = ("team", "person", "inviter", "state", "created_at", "expires_at")
    search_fields = ("team__username", "person__username", "inviter__username")
    list_select_related = ("team", "person", "inviter")
    show_full_result_count = False


@admin.register(AuditEntry)
class AuditAdmin(LookOnly):
    list_display = ("at", "actor", "act", "target", "reason")
    list_filter = ("act",)
    search_fields = ("actor__username", "target", "reason")
    list_select_related = ("actor",)
    show_full_result_count = False
