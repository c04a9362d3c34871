"""Reads that compute their answer: they wait in a line of their own, and are limited per visitor.

However many replays, pictures and exports are requested, a web process makes one at a time, and its other
threads answer everybody else meanwhile (see `arena.turns`).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from arena.accounts import limits
from arena.accounts.client_address import client_address

View = TypeVar("View", bound=Callable[..., Any])
MARK = "arena_computes"


def computes(view: View) -> View:
    """Mark a view, so that its requests wait in the line for computing."""
    setattr(view, MARK, True)
    return view


def is_computed(path: str) -> bool:
    """Return whether the view of this address computes."""
    try:
        return hasattr(resolve(path).func, MARK)
    except Resolver404:
        return False


def spend(name: str, request: HttpRequest) -> None:
    """Count one computed answer for a user, or else for their network. Raises LimitError."""
    user = request.user
    limits.spend(name, f"user-{user.pk}" if user.is_authenticated else client_address(request))


def tells_limits(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view whose limits are exceeded answer 429, with the reason and how long to wait."""

    @wraps(view)
    def tell(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except limits.LimitError as error:
            headers = {"Retry-After": str(error.seconds), "Cache-Control": "no-store"}
            return HttpResponse(f"{error}\n", status=429, content_type="text/plain", headers=headers)

    return tell
