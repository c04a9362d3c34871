"""Answers that are made once and stored compressed."""

import gzip

from django.http import HttpRequest, HttpResponse


def pack(text: str) -> bytes:
    return gzip.compress(text.encode(), 6, mtime=0)


def send_packed(
    request: HttpRequest, packed: bytes, content_type: str, headers: dict[str, str] | None = None
) -> HttpResponse:
    """Send compressed content, unpacked for the few clients that do not accept gzip."""
    known = {"Vary": "Accept-Encoding", **(headers or {})}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(packed, content_type=content_type, headers=known | {"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(packed), content_type=content_type, headers=known)
