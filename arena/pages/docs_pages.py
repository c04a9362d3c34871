"""The documentation at /docs/: the files that `make docs` built, under the policy of every other page."""

import base64
import mimetypes
import re
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.utils._os import safe_join
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from arena import csp
from arena.pages import errors

SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
STYLE = re.compile(rb'\sstyle="([^"]*)"')


def find_file(name: str) -> Path | None:
    """Return the file of an address below /docs/; None for whatever else somebody may ask for."""
    try:
        path = Path(safe_join(settings.DOCS, name or "index.html"))
        path = path / "index.html" if path.is_dir() else path
        return path if path.is_file() else None
    except (
        SuspiciousFileOperation,
        ValueError,
        OSError,
    ):  # outside, with a NUL, or longer than a name can be
        return None


def tag_of(_request: HttpRequest, name: str = "") -> str | None:
    found = find_file(name)
    return f'"{found.stat().st_mtime_ns:x}-{found.stat().st_size:x}"' if found else None


@require_safe
@gzip_page
@condition(etag_func=tag_of)
def docs_page(request: HttpRequest, name: str = "") -> HttpResponse:
    """A file of the documentation, or how to build it."""
    if not (settings.DOCS / "index.html").is_file():
        text = _("The documentation has not been built on this arena: its operator runs “make docs”.")
        return errors.show(request, 404, _("No documentation yet"), text)
    found = find_file(name)
    if found is None:
        raise Http404(_("The documentation has no such page."))
    kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
    content = found.read_bytes()
    response = HttpResponse(content, content_type=f"{kind}; charset=utf-8" if "text" in kind else kind)
    response.headers["Cache-Control"] = "no-cache"
    if kind == "text/html":
        response.headers[csp.HEADER] = policy_for(content)
    return response


def policy_for(page: bytes) -> str:
    """The policy of every page, and by their hashes the few inline parts that mkdocs writes."""
    scripts, styles = _hashes(SCRIPT, page), _hashes(STYLE, page)
    return csp.policy(
        script_src=f"'self' {scripts}".strip(),
        style_src=f"'self' 'unsafe-hashes' {styles}" if styles else "'self'",
    )


def _hashes(pattern: re.Pattern[bytes], page: bytes) -> str:
    digests = {base64.b64encode(sha256(part).digest()).decode() for part in pattern.findall(page)}
    return " ".join(f"'sha256-{digest}'" for digest in sorted(digests))
