"""Static files: compressed, with hashed names (JavaScript modules too), and served without Django.

`make load` shows why: several times as many files per second as with WhiteNoise's middleware.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from re import Match
from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from arena.body_limit import Application, Receive, Scope, Send

OUR_MODULES = ("replays/", "analysis/", "browser/", "play/")
NO_SNIFFING = (b"x-content-type-options", b"nosniff")
MOST_KEPT = 256
"""So many files stay in memory: the viewer opens with twenty, and reading each from the disk gives the
interpreter away to whatever else is being computed (`make bench ONLY=viewer`)."""


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites `import ... from "./other.js"` in our modules; each would be fetched twice otherwise."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, *rest: Any, **more: Any) -> Callable[[Match[str]], str]:
        if name.endswith(".js") and not name.startswith(OUR_MODULES):
            return lambda found: found[0]  # other packages' files stay unchanged
        converter: Callable[[Match[str]], str] = super().url_converter(name, *rest, **more)
        return converter


def serve_static(application: Application) -> Application:
    """Wrap the application: static files are answered at once, without a thread or middleware."""
    files = WhiteNoiseMiddleware()
    find = files.find_file if files.autorefresh else files.files.get
    read = read_file if files.autorefresh else lru_cache(MOST_KEPT)(read_file)

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        found = find(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await application(scope, receive, send)
            return
        status, headers, body = _answer(found, scope["method"], _asked(scope), read)
        pairs = [(name.lower().encode(), value.encode()) for name, value in _needed(headers)]
        await send({"type": "http.response.start", "status": status, "headers": [*pairs, NO_SNIFFING]})
        await send({"type": "http.response.body", "body": body})

    return served


def _needed(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out what helps to ask again for a file that nobody asks for again: it never changes."""
    if not any("immutable" in value for name, value in headers if name == "Cache-Control"):
        return headers
    return [one for one in headers if one[0] not in ("ETag", "Last-Modified")]


def read_file(path: str) -> bytes:
    return Path(path).read_bytes()


def _answer(
    found: StaticFile, method: str, asked: dict[str, str], read: Callable[[str], bytes]
) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return status, headers and body. Only a part of a file, which a range asks for, is read each time."""
    if method != "GET" or "HTTP_RANGE" in asked or found.is_not_modified(asked):
        answer = found.get_response(method, asked)
        if answer.file is None:
            return int(answer.status), answer.headers, b""
        with answer.file as file:
            return int(answer.status), answer.headers, file.read()
    path, headers = found.get_path_and_headers(asked)
    return 200, headers, read(path)


def _asked(scope: Scope) -> dict[str, str]:
    """Return the headers of a request under their WSGI names."""
    pairs = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    return {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in pairs}
