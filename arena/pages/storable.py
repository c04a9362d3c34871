"""Text and numbers that a database cannot hold are the sender's mistake, at every address.

PostgreSQL takes no NUL, UTF-8 no half of a surrogate pair, and a column only so many digits. Forms and
serializers say so beside the field; this is for what reaches a query without them.
"""

import logging
from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from arena.api import errors as api_errors
from arena.pages import errors

log = logging.getLogger(__name__)


class Storable:
    """Middleware: 404 for an address with a NUL in it, 400 for other data that cannot be stored."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path:
            return errors.not_found(request, Exception())
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        is_text = isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed"
        if not is_text and not isinstance(error, DataError):
            return None
        log.warning(
            "%s was sent data that cannot be stored: %s", request.path, type(error).__name__, exc_info=error
        )
        return refusal(request)


def refusal(request: HttpRequest) -> HttpResponse:
    """Answer without a template: the bad data may be in a cookie, which every template reads."""
    if errors.is_api(request):
        return api_errors.unstorable(request)
    return errors.plain(400, _("This request contains text or numbers that cannot be stored."))
