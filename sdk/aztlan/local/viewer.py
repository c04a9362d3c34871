"""The arena's replay viewer without an arena: as a page of a small server, or as one file that needs none."""

import base64
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aztlan.errors import SdkError
from engine.record import Record
from engine.replay.views import distinct, told, views

PACKAGED = Path(__file__).resolve().parents[1] / "_viewer"
BUILDER = Path(__file__).resolve().parents[2] / "distribution" / "viewer.py"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".html": "text/html",
}
STYLES = ("site.css", "viewer.css", "panels.css")
START = "start.js"
_RELATIVE = re.compile(r"""(from|import|import\()\s*(["'])\./([\w.]+\.js)\2""")
_PICTURE = re.compile(r"""url\(["']?([\w.]+\.svg)["']?\)""")
_FETCH = """
const files = JSON.parse(document.getElementById("files").textContent);
const real = window.fetch.bind(window);
window.fetch = async (url, options) => (url in files ? new Response(files[url]) : real(url, options));
"""


def viewer_folder() -> Path:
    """Return the folder with the viewer's files: in a wheel its own, in a clone one made from the arena's."""
    return PACKAGED if PACKAGED.is_dir() else _gathered()


@cache
def _gathered() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="aztlan-viewer-")) / "viewer"
    command = [sys.executable, str(BUILDER), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise SdkError(f"the viewer's files could not be gathered from this clone: {last}")
    return folder


class OfflineReplay:
    """A record to be looked at. `name` is a match's id or a file's name."""

    def __init__(self, record: Record, name: str) -> None:
        self.record, self.name = record, name
        self.views = views(len(record.seats))
        self.folder = viewer_folder()
        if not (self.folder / self.board).is_file():
            raise SdkError(f"there is no drawing of the board {record.board_id!r}")

    @property
    def board(self) -> str:
        return f"board-{self.record.board_id}.json"

    @property
    def title(self) -> str:
        return " · ".join(self.record.seats)

    def frames(self, view: str) -> str:
        """What the viewer asks for: a header, then the frames of a view."""
        header = {
            "match": self.name,
            "seats": [{"name": name} for name in distinct(self.record.seats)],
            "edition": self.record.ruleset.name,
        }
        return b"".join(told(self.record, view, header)).decode()

    def page(self, address: str, head: str, scripts: str) -> str:
        """The viewer's page, as the arena writes it for a frame on another site."""
        page = {
            "match": self.name,
            "board": self.board,
            "frames": "frames-VIEW",
            "views": self.views,
            "live": None,
            "chances": None,
            "picture": None,
            "author": [],
            "address": address,
        }
        signs = (self.folder / "signs.svg").read_text("utf-8")
        words = json.loads((self.folder / "words.json").read_text("utf-8"))
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
            f"<title>{escape(self.title)} · Aztlán</title>\n{head}\n</head>\n"
            f'<body class="embed">\n<main>\n<h1 class="sr">{escape(self.title)}</h1>\n'
            '<div id="viewer" class="viewer" aria-label="Replay" role="group"></div>\n</main>\n'
            f'<svg class="signs" aria-hidden="true"><defs>{signs}</defs></svg>\n'
            f"{script_data('viewer-page', page)}\n{script_data('viewer-words', words)}\n{scripts}\n"
            "</body>\n</html>\n"
        )

    def served_page(self, address: str) -> str:
        """The page for a server that has the viewer's files beside it."""
        head = "\n".join(f'<link rel="stylesheet" href="{name}">' for name in STYLES)
        return self.page(address, head, f'<script type="module" src="{START}"></script>')

    def single_page(self) -> str:
        """The page with everything in it.

        A browser loads no modules from files, so they come from an import map; and it fetches no files, so
        what the viewer fetches is in the page too.
        """
        styles = "\n".join(with_pictures(self.folder / name) for name in STYLES)
        files = {f"frames-{view}": self.frames(view) for view in self.views}
        files[self.board] = (self.folder / self.board).read_text("utf-8")
        modules = {f"viewer/{path.name}": module_url(path) for path in sorted(self.folder.glob("*.js"))}
        imports = json.dumps({"imports": modules})
        head = f'<style>\n{styles}\n</style>\n<script type="importmap">{imports}</script>'
        start = f'<script type="module">import "viewer/{START}";</script>'
        return self.page("", head, f"{script_data('files', files)}\n<script>{_FETCH}</script>\n{start}")


def script_data(name: str, data: Any) -> str:
    """Data for scripts. Names come from strangers, and must not end the element."""
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("&", "\\u0026")
    return f'<script id="{name}" type="application/json">{text}</script>'


def with_pictures(style: Path) -> str:
    """Return a style sheet with its pictures inlined."""

    def picture(found: re.Match[str]) -> str:
        file = style.parent / found[1]
        return f'url("data:image/svg+xml;base64,{base64.b64encode(file.read_bytes()).decode()}")'

    return _PICTURE.sub(picture, style.read_text("utf-8"))


def module_url(path: Path) -> str:
    """A module as an address of its own, which imports the others by the names of the import map."""
    text = _RELATIVE.sub(lambda found: f'{found[1]} "viewer/{found[3]}"', path.read_text("utf-8"))
    return "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()


def viewer_server(replay: OfflineReplay, port: int) -> ThreadingHTTPServer:
    """Return a server on the loopback address that shows one replay."""
    names = {path.name for path in replay.folder.iterdir()}

    def answer(path: str, address: str) -> tuple[str, str] | None:
        name = path.partition("?")[0].removeprefix("/")
        if name == "":
            return "text/html", replay.served_page(address)
        if name.removeprefix("frames-") in replay.views and name.startswith("frames-"):
            return "application/x-ndjson", replay.frames(name.removeprefix("frames-"))
        if name in names:
            return TYPES.get(Path(name).suffix, "text/plain"), (replay.folder / name).read_text("utf-8")
        return None

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), _handler(answer))
    except OSError as error:
        raise SdkError(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None


def _handler(answer: Callable[[str, str], tuple[str, str] | None]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = answer(self.path, f"http://{self.headers.get('Host', '')}/")
            if found is None:
                self.send_error(404)
                return
            kind, text = found
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  as the class has it
            """Print nothing: the terminal is the author's."""

    return Handler
