"""From where a request comes."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the network address of the client; behind our proxy, the one that the proxy saw."""
    if settings.BEHIND_PROXY:
        # The last one was added by our own proxy; those before it are whatever the client claims.
        forwarded = request.headers.get("X-Forwarded-For", "")
        if forwarded:
            return forwarded.rpartition(",")[2].strip()[:64]
    return str(request.META.get("REMOTE_ADDR") or "unknown")
