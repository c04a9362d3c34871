"""The HTTP API for match hosts. Each call carries the token of one attempt; each answer is definite."""

import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.crypto import constant_time_compare
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from redis import RedisError

from arena import health
from arena.bots.models import Version
from arena.hosts import attempts, live_frames, reports, specs
from arena.hosts import services as hosts
from arena.hosts import signing as tokens
from arena.hosts.attempts import Claimant, HostRefusedError
from arena.storage_down import StorageDownError
from workers.logs import concerning
from workers.match.strict import DataError, fields, flag, text

log = logging.getLogger(__name__)
LONGEST_BODY = 96 * 1024 * 1024
View = Callable[..., HttpResponse]


def refusal(status: int, reason: str) -> JsonResponse:
    return JsonResponse({"reason": reason}, status=status)


def host_call(view: View) -> View:
    """Let in match hosts, which share one key, and turn errors into JSON answers."""

    @csrf_exempt
    @wraps(view)
    def call(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not constant_time_compare(shown, settings.HOST_KEY):
            return refusal(
                401, "The host's key is wrong. Set ARENA_HOST_KEY to the same value as on the arena."
            )
        ids = {"attempt": kwargs["attempt_id"]} if "attempt_id" in kwargs else {}
        try:
            with concerning(**ids):
                return view(request, *args, **kwargs)
        except tokens.AttemptTokenError as error:
            return refusal(403, str(error))
        except DataError as error:
            return refusal(400, str(error))
        except HostRefusedError as error:
            return refusal(409, str(error))
        except StorageDownError as error:
            log.error("%s", error)
            return refusal(503, "The arena's file storage does not answer. Try again later.")

    return call


def read_json(request: HttpRequest) -> Any:
    """Read the body. Reports of builds exceed Django's own limit, so it is read here."""
    body = request.read(LONGEST_BODY + 1)
    if len(body) > LONGEST_BODY:
        raise DataError("the body is too large")
    try:
        return json.loads(body, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise DataError("the body is not JSON") from None


def refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which Python accepts but JSON does not have."""
    raise DataError(f"{name} is not JSON")


def read_claimant(request: HttpRequest, attempt_id: int) -> Claimant:
    tokens.check_attempt(attempt_id, request.headers.get("X-Attempt-Token", ""))
    key = request.headers.get("X-Attempt-Key", "")
    if not 32 <= len(key) <= 128:
        raise tokens.AttemptTokenError(
            "X-Attempt-Key must be a secret of this host, 32 to 128 characters long."
        )
    return Claimant(attempt_id, key)


@require_POST
@host_call
def beat_host(request: HttpRequest, name: str) -> HttpResponse:
    answer = hosts.beat(name, read_json(request))
    note_clock(name, request.headers.get("X-Host-Clock", ""))
    return JsonResponse({"paused": answer.paused, "beat_seconds": settings.BEAT_SECONDS})


def note_clock(host: str, clock: str) -> None:
    """Note how far a host's clock is off, for `manage.py doctor`; nothing else depends on it."""
    with suppress(ValueError, RedisError):
        health.note_clock(host, float(clock) - time.time())


@require_POST
@host_call
def claim(request: HttpRequest, attempt_id: int) -> HttpResponse:
    claimant = read_claimant(request, attempt_id)
    [name] = fields(read_json(request), "claim", ("host",))
    return JsonResponse(specs.claim_answer(attempts.claim(claimant, text(name, "claim.host", 100))))


@require_POST
@host_call
def beat(request: HttpRequest, attempt_id: int) -> HttpResponse:
    return JsonResponse({"abandon": not attempts.beat(read_claimant(request, attempt_id))})


@require_POST
@host_call
def show_frames(request: HttpRequest, attempt_id: int) -> HttpResponse:
    claimant = read_claimant(request, attempt_id)
    [frames] = fields(read_json(request), "live", ("frames",))
    live_frames.publish(claimant, frames)
    return JsonResponse({})


@require_POST
@host_call
def give_back(request: HttpRequest, attempt_id: int) -> HttpResponse:
    claimant = read_claimant(request, attempt_id)
    note, is_fault = fields(read_json(request), "give_back", ("note", "host_at_fault"))
    if not attempts.give_back(
        claimant, text(note, "give_back.note", 10_000), flag(is_fault, "give_back.host_at_fault")
    ):
        raise HostRefusedError("This attempt is no longer yours.")
    return JsonResponse({})


@require_POST
@host_call
def report(request: HttpRequest, attempt_id: int) -> HttpResponse:
    claimant = read_claimant(request, attempt_id)
    try:
        data = read_json(request)
    except DataError as error:
        data = error  # it ends the attempt now, not when the lease runs out
    reports.record_report(claimant, data)
    return JsonResponse({"recorded": True})


@require_GET
@host_call
def archive(request: HttpRequest, token: str) -> HttpResponse:
    version_id, what = tokens.read_archive_token(token)
    version = get_object_or_404(Version, pk=version_id)
    file = version.built_archive if what == "built" else version.archive
    if not file:
        return refusal(404, "There is no such archive.")
    with file.open("rb") as opened:
        data = opened.read()
    headers = {"X-Content-SHA256": sha256(data).hexdigest()}
    return HttpResponse(data, content_type="application/octet-stream", headers=headers)
