"""Answers that have not changed are not sent again: every answer to a GET has a tag to ask by."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware


class ConditionalApi(ConditionalGetMiddleware):
    """Django's, for the API alone: no two pages are alike, as each form on them has a token of its own."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not request.path.startswith("/api/"):
            return response
        return super().process_response(request, response)
