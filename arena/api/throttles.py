"""Rate limits of the API, per user or network."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from arena.accounts import limits
from arena.accounts.client_address import client_network


class ArenaThrottle(BaseThrottle):
    """Raises LimitError, which says why and how long to wait, instead of returning False."""

    def allow_request(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            limits.spend("api-anonymous", client_network(request._request))  # noqa: SLF001  Django's own
            return True
        limits.spend("api", request.user.pk)
        if request.method not in SAFE_METHODS:
            limits.spend("api-write", request.user.pk)
        return True
