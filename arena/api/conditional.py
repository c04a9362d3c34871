"""Answers that have not changed are not sent again: every answer to a GET has an ETag."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware


class ConditionalApi(ConditionalGetMiddleware):
    """Django's middleware, for the API only: pages always differ, as their forms contain CSRF tokens."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not request.path.startswith("/api/"):
            return response
        return super().process_response(request, response)
