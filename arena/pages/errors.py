"""Error pages, which say what to do next. The API answers in its own format."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from arena.api import errors as api_errors
from arena.storage_down import StorageDownError

RETRY_SECONDS = 5
STORAGE_SECONDS = 60


def is_api(request: HttpRequest) -> bool:
    return is_api_path(request.path)


def is_api_path(path: str) -> bool:
    return path.startswith("/api/")


def show(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    return render(request, "pages/error.html", {"code": status, "title": title, "text": text}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return api_errors.bad_request(request)
    return show(
        request, 400, _("Bad request"), _("Something in this request is not valid. Go back and try again.")
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return show(
        request,
        403,
        _("You may not see this page"),
        str(exception) or _("Your account does not have the rights for this."),
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return api_errors.not_found(request)
    return show(request, 404, _("Page not found"), _("It may have moved, or the address may be wrong."))


def server_error(request: HttpRequest) -> HttpResponse:
    # A database that is unavailable now may answer in a moment; anything else is a bug.
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return busy(request.path)
    if isinstance(sys.exc_info()[1], StorageDownError):
        return storage_down(request.path)
    if is_api(request):
        return api_errors.server_error(request)
    return plain(500, _("Something went wrong on our side, and it has been logged. Try again in a minute."))


def storage_down(path: str) -> HttpResponse:
    """Say that files cannot be stored or fetched now; everything else works."""
    text = _("The arena cannot reach its file storage right now. Nothing was changed; try again in a minute.")
    response = api_errors.storage_down(text, STORAGE_SECONDS) if is_api_path(path) else plain(503, text)
    response["Retry-After"] = str(STORAGE_SECONDS)
    return response


def busy(path: str) -> HttpResponse:
    """Ask a visitor to try again in a moment: the arena has more to do than it can."""
    response = api_errors.busy(RETRY_SECONDS) if is_api_path(path) else plain(503, busy_text())
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def busy_text() -> str:
    return _("The arena is very busy right now. Try again in %d seconds.") % RETRY_SECONDS


def plain(status: int, text: str) -> HttpResponse:
    """Show a sentence without the site's template: whatever failed might fail there again."""
    return HttpResponse(
        f"<!doctype html><title>{status}</title><h1>{status}</h1><p>{text}</p>", status=status
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = _(
        "The form was open too long, or cookies are switched off. Go back, reload the page and send it again."
    )
    return show(request, 403, _("This form has expired"), text)
