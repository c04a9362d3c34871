"""Sends the files of the engine, and the worker that runs them under a policy of its own."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena import csp
from arena.browser.selectors import WORKER, release

FOR_EVER = "public, max-age=31536000, immutable"
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""Only the worker may compile WebAssembly. It can reach nothing but this arena, and no page."""


@require_safe
def engine_file(request: HttpRequest, name: str, file: str) -> HttpResponse:
    """Send a file of the release that this arena serves."""
    found = release()
    wanted = found.files.get(file) if found and found.name == name else None
    if wanted is None:
        return HttpResponseNotFound(_("This arena has another version of the engine now: reload the page."))
    accepts_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"}
    if accepts_gzip and wanted.packed is not None:
        headers["Content-Encoding"] = "gzip"
    if file == WORKER.name:
        headers[csp.HEADER] = WORKER_POLICY
    return HttpResponse(wanted.read(accepts_gzip), content_type=wanted.kind, headers=headers)
