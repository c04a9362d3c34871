"""The OpenAPI description of the API: built once per process, then served like a file."""

import hashlib
import json
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from arena.packed import pack, send_packed

Schema = dict[str, Any]
CONTENT_TYPE = "application/vnd.oai.openapi+json"
_building = Lock()


def schema() -> Schema:
    """Return the description, which is the same for the life of a process."""
    with _building:  # the generator is not thread-safe
        return _build()


@cache
def _build() -> Schema:
    with translation.override(settings.LANGUAGE_CODE):
        built: Schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # no types
        # Resolve lazy translations now.
        plain: Schema = json.loads(json.dumps(built, default=str))
    return plain


@cache
def _file() -> tuple[bytes, str]:
    text = json.dumps(schema(), indent=2, ensure_ascii=False)
    return pack(text), f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


@require_safe
def schema_file(request: HttpRequest) -> HttpResponse:
    packed, tag = _file()
    headers = {"ETag": tag, "Cache-Control": "public, max-age=60"}
    return send_packed(request, packed, CONTENT_TYPE, headers)
