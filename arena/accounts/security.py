"""The pages on which people protect their account, see where they are signed in, and leave."""

import functools
import json
from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.internal.flows.sessions import end_other_sessions, end_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from requests import RequestException

from arena.accounts import leaving
from arena.accounts.adapters import say_it_is_down
from arena.accounts.forms import LeaveForm
from arena.accounts.permissions import lacks_second_factor, may_take_part
from arena.accounts.requests import AuthorRequest

View = Callable[..., HttpResponse]


@login_required
@require_GET
@never_cache
def security(request: AuthorRequest) -> HttpResponse:
    """Show second factors, passkeys, other sites, sessions, and how to leave."""
    user = request.user
    UserSession.objects.create_from_request(request)
    factors = Authenticator.objects.filter(user=user).order_by("created_at")
    sessions = sorted(
        UserSession.objects.purge_and_list(user), key=lambda each: each.created_at, reverse=True
    )
    context = {
        "is_confirmed": may_take_part(user),
        "lacks_factor": lacks_second_factor(user),
        "totp": factors.filter(type=Authenticator.Type.TOTP).first(),
        "keys": factors.filter(type=Authenticator.Type.WEBAUTHN),
        "has_codes": factors.filter(type=Authenticator.Type.RECOVERY_CODES).exists(),
        "sessions": sessions,
        "sites": SocialAccount.objects.filter(user=user),
    }
    return render(request, "accounts/security.html", context)


@login_required
@require_POST
def end_session(request: AuthorRequest, pk: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    is_own = session.is_current()
    end_sessions(request, [session])
    if is_own:
        return redirect("sign-in")
    messages.success(request, _("That session is signed out."))
    return redirect("security")


@login_required
@require_POST
def end_others(request: AuthorRequest) -> HttpResponse:
    end_other_sessions(request, request.user)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("security")


@login_required
@require_GET
@reauthentication_required
@never_cache
def export(request: AuthorRequest) -> HttpResponse:
    text = json.dumps(
        leaving.export_account(request.user), cls=DjangoJSONEncoder, indent=1, ensure_ascii=False
    )
    name = f"aztlan-arena-{request.user.username}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


@login_required
@reauthentication_required
def leave(request: AuthorRequest) -> HttpResponse:
    """Delete the account, once its name has been typed."""
    form = LeaveForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        leaving.delete_account(request.user)
        logout(request)
        messages.success(request, _("Your account is deleted. Thank you for playing."))
        return redirect("home")
    return render(request, "accounts/leave.html", {"form": form})


def needs_confirmed(view: View) -> View:
    """Refuse second factors to an unconfirmed address: its real owner could not reset them."""

    @login_required
    @functools.wraps(view)
    def guarded(request: AuthorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_take_part(request.user):
            messages.error(request, _("Confirm your e-mail address first."))
            return redirect("settings")
        return view(request, *args, **kwargs)

    return guarded


def needs_readable_credential(view: View) -> View:
    """Refuse JSON that no browser sends, such as numbers too long for Python: the form would fail on it."""

    @functools.wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            json.loads(request.POST.get("credential") or "{}")
        except (ValueError, RecursionError) as error:
            raise BadRequest("The credential is not JSON.") from error
        return view(request, *args, **kwargs)

    return guarded


class OtherSiteDown:
    """Middleware that answers with a sentence where a site that people sign in with does not answer."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, RequestException):
            return None
        return say_it_is_down(request)
