"""The browsers and networks from which an account was signed in to before.

Whoever guesses a password is slowed down, and with them everybody whom the arena cannot tell from them. The
owner can be told from them: by a signed cookie that a browser keeps after a sign-in, also when it has signed
out, and by the network of an earlier sign-in (for programs, which keep no cookies). Tries from a known place
are counted for that place alone, so nobody elsewhere can use them up.
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

log = logging.getLogger(__name__)
COOKIE = "known"
SALT = "arena.accounts.known"
REMEMBERED_SECONDS = 180 * 24 * 3600
MOST_ACCOUNTS = 5
"""Of one browser; the one that was signed in to longest ago is forgotten."""
SIGNED_IN = "arena.signed_in"
"""Where a request notes the account that it proved to be of."""


def place_of(request: HttpRequest, account: str) -> str | None:
    """Return the place, known to this account, from which a request comes; None from a strange one."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and user.get_username().casefold() == account:
        return f"session {request.session.session_key}"
    if mark := marks_of(request).get(account):
        return f"browser {mark}"
    network = network_key(request, account)
    try:
        return f"network {network}" if limits.counters().exists(network) else None
    except RedisError as error:
        log.warning("Known networks are not looked up while Redis is away: %s", error)
        return None


def remember(request: HttpRequest, account: str) -> None:
    """Note that this request has proved to be the account's; `Remember` then marks its browser."""
    request.META[SIGNED_IN] = account
    try:
        limits.counters().set(network_key(request, account), 1, ex=REMEMBERED_SECONDS)
    except RedisError as error:
        log.warning("A known network was not noted while Redis is away: %s", error)


def network_key(request: HttpRequest, account: str) -> str:
    """Return a key of Redis that tells nobody where people are."""
    return (
        "known:" + salted_hmac(SALT, f"{account}|{client_network(request)}", algorithm="sha256").hexdigest()
    )


def marks_of(request: HttpRequest) -> dict[str, str]:
    """Return the marks that a browser shows, by account."""
    try:
        marks: dict[str, str] = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=REMEMBERED_SECONDS
        )
    except signing.BadSignature:
        return {}
    return marks


class Remember:
    """Middleware that marks a browser after a sign-in, whichever door it came through."""

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
        return response
