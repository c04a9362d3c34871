"""Every error of the API has one shape: code, message, fields, wait_seconds."""

import re
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from arena.accounts.limits import LimitError
from arena.bots.errors import RefusedError


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn an exception into an answer; an unknown one becomes a 500 elsewhere."""
    if isinstance(error, RefusedError):
        status = 429 if error.wait_seconds else 400
        return with_wait(Response(body(error.code, error.sentence, wait=error.wait_seconds), status))
    if isinstance(error, LimitError):
        return with_wait(Response(body("throttled", str(error), wait=error.seconds), 429))
    if isinstance(error, Http404):
        error = exceptions.NotFound(what_is_missing(error))
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(*error.args[:1])
    elif isinstance(error, exceptions.NotAuthenticated):
        # Keep the exception: it carries the header that says how to sign in.
        said = "Send one of your tokens, as in `Authorization: Bearer aztlan_…`."
        error.detail = exceptions.ErrorDetail(said, error.default_code)
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = body_of(error)
    return response


def what_is_missing(error: Http404) -> str | None:
    """Return a sentence for people; Django's own message mentions queries."""
    said = error.args[0] if error.args and isinstance(error.args[0], str) else None
    model = re.fullmatch(r"No (\w+) matches the given query\.", said or "")
    return f"There is no such {model[1].lower()}." if model else said


def with_wait(response: Response) -> Response:
    if response.data["wait_seconds"]:
        response["Retry-After"] = str(response.data["wait_seconds"])
    return response


def body(
    code: str, message: str, fields: dict[str, Any] | None = None, wait: int | None = None
) -> dict[str, Any]:
    return {"code": code, "message": message, "fields": fields or {}, "wait_seconds": wait}


def body_of(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        details: Any = error.get_full_details()
        fields = flatten(details) if isinstance(details, dict) else {"": leaves(details)}
        general = fields.pop("non_field_errors", None) or fields.pop("", None)
        first = (general or [{"code": "invalid", "message": "Some fields are invalid. See “fields”."}])[0]
        return body(first["code"], first["message"], fields)
    details = error.get_full_details()
    message, code = (
        (details["message"], details["code"]) if isinstance(details, dict) else (str(error), "error")
    )
    return body(str(code), str(message))


def flatten(details: dict[str, Any], prefix: str = "") -> dict[str, list[dict[str, str]]]:
    """Return errors by field, with dots in the names of nested fields."""
    found: dict[str, list[dict[str, str]]] = {}
    for name, value in details.items():
        if isinstance(value, dict) and not {"code", "message"} >= set(value):
            found |= flatten(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = leaves(value)
    return found


def leaves(value: Any) -> list[dict[str, str]]:
    if isinstance(value, dict) and {"code", "message"} >= set(value):
        return [{"code": str(value["code"]), "message": str(value["message"])}] if value else []
    children = value.values() if isinstance(value, dict) else value
    return [leaf for child in children for leaf in leaves(child)]


def not_found(request: HttpRequest) -> JsonResponse:
    return JsonResponse(body("not_found", "There is nothing at this address. See /api/v1/docs."), status=404)


def unstorable(request: HttpRequest) -> JsonResponse:
    sentence = "This request contains text or numbers that cannot be stored."
    return JsonResponse(body("invalid", sentence), status=400)


def bad_request(request: HttpRequest) -> JsonResponse:
    return JsonResponse(body("invalid", "This request is malformed. See /api/v1/docs."), status=400)


def server_error(request: HttpRequest) -> JsonResponse:
    return JsonResponse(
        body("server_error", "Something went wrong on our side. The error has been logged."), status=500
    )


def busy(seconds: int) -> JsonResponse:
    return JsonResponse(body("busy", "The arena is very busy right now.", wait=seconds), status=503)


def storage_down(text: str, seconds: int) -> JsonResponse:
    return JsonResponse(body("storage_down", text, wait=seconds), status=503)
