"""The browsers and networks from which an account was signed in to before.

Rate limits against password guessing hit everybody whom the arena cannot tell from the guesser. The owner can
be told apart by a signed cookie, which a browser keeps even after signing out, and by the network of an
earlier sign-in (for programs, which keep no cookies). Tries from a known place are counted for that place
alone, so nobody elsewhere can use them up.
"""

import logging
import secrets
from collections.abc import Callable

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from redis import RedisError

from arena.accounts import limits
from arena.accounts.client_address import client_network
from arena.accounts.languages import remember_in
from arena.accounts.models import User

log = logging.getLogger(__name__)
COOKIE = "known"
SALT = "arena.accounts.known"
REMEMBERED_SECONDS = 180 * 24 * 3600
MOST_ACCOUNTS = 5
"""Per browser; beyond that, the least recent one is forgotten."""
SIGNED_IN = "arena.signed_in"
"""The key under which a request notes which account it has signed in to."""


def place_of(request: HttpRequest, account: str) -> str | None:
    """Return the known place of this account that a request comes from; None if the place is unknown."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and user.get_username().casefold() == account:
        return f"session {request.session.session_key}"
    if mark := marks_of(request).get(account):
        return f"browser {mark}"
    network = network_key(request, account)
    try:
        return f"network {network}" if limits.counters().exists(network) else None
    except RedisError as error:
        log.warning("Known networks cannot be looked up while Redis is down: %s", error)
        return None


def remember(request: HttpRequest, account: str) -> None:
    """Note that this request has signed in to the account; `Remember` then marks its browser."""
    request.META[SIGNED_IN] = account
    try:
        limits.counters().set(network_key(request, account), 1, ex=REMEMBERED_SECONDS)
    except RedisError as error:
        log.warning("A known network could not be stored while Redis is down: %s", error)


def network_key(request: HttpRequest, account: str) -> str:
    """Return a Redis key that does not reveal where people are."""
    return (
        "known:" + salted_hmac(SALT, f"{account}|{client_network(request)}", algorithm="sha256").hexdigest()
    )


def marks_of(request: HttpRequest) -> dict[str, str]:
    """Return the marks in a browser's cookie, by account."""
    try:
        marks: dict[str, str] = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=REMEMBERED_SECONDS
        )
    except signing.BadSignature:
        return {}
    return marks


class Remember:
    """Middleware that marks a browser after a sign-in of any kind."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if account := request.META.get(SIGNED_IN):
            marks = marks_of(request)
            marks[account] = marks.pop(account, "") or secrets.token_urlsafe(12)
            latest = dict(list(marks.items())[-MOST_ACCOUNTS:])
            response.set_cookie(
                COOKIE,
                signing.dumps(latest, salt=SALT),
                max_age=REMEMBERED_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
            if isinstance(request.user, User) and request.user.language:
                remember_in(response, request.user.language)
        return response
