"""Static files are answered by the web application itself, before Django is asked."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from arena.static_files import serve_static


async def ask(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask for a path; what is no static file is answered with 404 by the application behind."""
    told: list[dict[str, Any]] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b"from behind"})

    async def keep(message: Any) -> None:
        told.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "path": path, "method": method, "headers": pairs}
    await serve_static(behind)(scope, lambda: None, keep)  # type: ignore[arg-type, return-value]  # nothing is received
    answered = {name.decode(): value.decode() for name, value in told[0]["headers"]}
    return told[0]["status"], answered, told[1]["body"]


@pytest.mark.asyncio
async def test_a_file_is_sent_with_its_type_and_nobody_guesses_another() -> None:
    status, headers, body = await ask("/static/pages/site.css")
    assert status == 200
    assert headers["content-type"].startswith("text/css")
    assert headers["x-content-type-options"] == "nosniff"
    assert b"--accent" in body


@pytest.mark.asyncio
async def test_a_browser_that_has_the_file_is_told_so() -> None:
    _, headers, _ = await ask("/static/pages/site.css")
    status, _, body = await ask("/static/pages/site.css", if_none_match=headers["etag"])
    assert (status, body) == (304, b"")


@pytest.mark.asyncio
async def test_only_its_head_is_sent_where_that_was_asked_and_nothing_is_written() -> None:
    assert (await ask("/static/pages/site.css", "HEAD"))[2] == b""
    assert (await ask("/static/pages/site.css", "POST"))[0] == 405


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path", ["/", "/static/", "/static/none.css", "/static/../settings.py", "/static/pages/../../settings.py"]
)
async def test_what_is_no_static_file_is_asked_of_the_application(path: str) -> None:
    assert await ask(path) == (404, {}, b"from behind")


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Path]:
    """The static files as a deployment serves them."""
    backend = {"BACKEND": "arena.static_files.ModuleStaticFilesStorage"}
    production = {
        "STATIC_ROOT": tmp_path,
        "STORAGES": {**settings.STORAGES, "staticfiles": backend},
        "WHITENOISE_USE_FINDERS": False,
        "WHITENOISE_AUTOREFRESH": False,
    }
    with override_settings(**production):
        call_command("collectstatic", verbosity=0, interactive=False)
        yield tmp_path


@pytest.mark.asyncio
async def test_a_file_that_never_changes_is_kept_for_ever_and_sent_whole_or_in_part(collected: Path) -> None:
    [style] = (collected / "replays").glob("viewer.????????????.css")
    address = f"/static/replays/{style.name}"
    status, headers, body = await ask(address)
    assert (status, body) == (200, style.read_bytes())
    assert "immutable" in headers["cache-control"]
    assert headers.keys() & {"etag", "last-modified"} == set()  # nobody asks again for it
    _status, headers, body = await ask(address, accept_encoding="gzip")
    assert (headers["content-encoding"], gzip.decompress(body)) == ("gzip", style.read_bytes())
    status, _headers, body = await ask(address, range="bytes=0-3")
    assert (status, body) == (206, style.read_bytes()[:4])


def test_modules_import_each_other_by_the_names_that_browsers_may_keep_for_ever(collected: Path) -> None:
    """One with a plain name is fetched twice, and an old one stays in caches after an upgrade."""
    ours = {path.parent.parent for path in Path(settings.PROJECT, "arena").glob("*/static/*/*.js")}
    folders = {folder.name for static in ours for folder in static.iterdir()}
    hashed = [path for name in folders for path in (collected / name).glob("*.????????????.js")]
    statement = re.compile(r"""(?:from|import\()\s*"([\w./]+)""")
    imported = [name for path in hashed for name in statement.findall(path.read_text())]
    assert len(imported) > 50
    assert [name for name in imported if not re.search(r"\.[0-9a-f]{12}\.js$", name)] == []
