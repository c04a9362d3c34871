"""The content security policy: pages run our own scripts and styles, from files, and nothing else.

So whatever a stranger managed to write into a page would still not run.
"""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def policy(**changes: str) -> str:
    """Return the policy, with other values for some directives: policy(frame_ancestors="*")."""
    changed = POLICY | {name.replace("_", "-"): value for name, value in changes.items()}
    return "; ".join(f"{name} {value}" for name, value in changed.items())


DEFAULT = policy()


class ContentSecurityPolicy:
    """Sets the header where the view has not set its own."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        if self.is_async:
            return self.answer_later(request)
        response = self.get_response(request)
        response.headers.setdefault(HEADER, DEFAULT)  # type: ignore[union-attr]
        return response

    async def answer_later(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = await self.get_response(request)  # type: ignore[misc]
        response.headers.setdefault(HEADER, DEFAULT)
        return response
