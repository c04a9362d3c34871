"""Static files are answered by the web application itself, before Django is asked."""

from typing import Any

import pytest

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
