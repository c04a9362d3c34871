"""Who sent a request."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.request import Request

from arena.accounts.models import ApiToken, User


class AuthorRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def person_of(request: HttpRequest | Request) -> User:
    """Return the user who sent a request, where a permission has let only users in."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def maker_of(request: HttpRequest | Request) -> User:
    """Return the person whose limits a request counts towards: for a token of a team, the one who made it."""
    token = getattr(request, "auth", None)
    maker = token.maker if isinstance(token, ApiToken) else None
    return maker or person_of(request)
