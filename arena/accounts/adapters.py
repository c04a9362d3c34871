"""Where allauth asks the arena: addresses of clients, recent sign-ins, new accounts from other sites."""

import ipaddress
import logging
import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthError
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts import known, services
from arena.accounts.client_address import client_network
from arena.accounts.limits import LimitError
from arena.accounts.models import User

log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    def get_client_ip(self, request: HttpRequest) -> str:
        """Return what limits count a client by: of an IPv6 address, only the network."""
        network = client_network(request).partition("/")[0]
        try:
            return str(ipaddress.ip_address(network))
        except ValueError:  # a socket
            return "0.0.0.0"  # noqa: S104  no address, and nothing is bound to it

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Count signing in as confirming who one is; allauth would ask again at once."""
        return not is_confirmed_recently(self.request)

    def login(self, request: HttpRequest, user: User) -> None:
        super().login(request, user)
        known.remember(request, user.username.casefold())


def is_confirmed_recently(request: HttpRequest) -> bool:
    records = get_authentication_records(request, request.user)
    since = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return any(record["at"] > since for record in records)


class SocialAdapter(DefaultSocialAccountAdapter):
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any) -> User:
        """Create an account; an address that the other site vouches for needs no confirmation."""
        user: User = super().save_user(request, sociallogin, form)
        vouched = {each.email.casefold() for each in sociallogin.email_addresses if each.verified}
        EmailAddress.objects.filter(user=user).delete()  # `User` has the address; one record is enough
        user.email = form.cleaned_data[
            "email"
        ]  # allauth prefers the site's address to the one that was typed
        user.save(update_fields=["email"])
        if user.email.casefold() in vouched:
            User.objects.filter(pk=user.pk).update(email_confirmed_at=timezone.now())
            return user
        try:
            services.ask_to_confirm(user)
        except LimitError as error:  # the page of settings offers to send the link later
            messages.error(request, str(error))
        return user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Go back to where one can sign in otherwise, with one sentence."""
        if error == AuthError.CANCELLED:
            messages.info(request, _("You cancelled the sign-in with %s.") % provider.name)
        else:
            log.warning("Signing in with %s did not work: %s", provider.name, exception or error)
            raise ImmediateHttpResponse(say_it_is_down(request))
        raise ImmediateHttpResponse(redirect("sign-in"))


def say_it_is_down(request: HttpRequest) -> HttpResponse:
    """Go back to where one can sign in otherwise."""
    messages.error(
        request,
        _("Signing in with that site did not work. Try again later, or use your password or a passkey here."),
    )
    return redirect("security" if request.user.is_authenticated else "sign-in")
