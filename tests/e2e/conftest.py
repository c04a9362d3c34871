"""A real browser against a real web server, with matches that were played and matches that run."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, expect, sync_playwright

SCREENSHOTS = Path(__file__).parent.parent.parent / "screenshots"
CHROMIUM = shutil.which("chromium")
PATIENCE_MS = 120_000  # only a machine that is busy with other things needs it
expect.set_options(timeout=PATIENCE_MS)
# Until all that moves has come to rest, but for what never does.
AT_REST = """() => Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => null)))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for one module: its driver keeps an event loop in this thread, which other tests cannot have.

    The database is used between the driver's calls, so Django is told that this is safe, for as long.
    """
    if not CHROMIUM:
        pytest.skip("chromium is not installed")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as driver:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    """The address of an arena that serves this test's database."""
    server = uvicorn.Server(
        uvicorn.Config(
            "arena.asgi:application",
            port=0,
            log_level="warning",
            lifespan="off",
            access_log=False,
            proxy_headers=False,
            timeout_graceful_shutdown=60,  # as in production: a stream that nobody closes must not hold it up
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    # Whatever it still answers is answered first, or it would meet the emptying of the database.
    server.should_exit = True
    thread.join()


class Errors(list[str]):
    """What a page complained about."""

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", self.note)
        page.on(
            "response", lambda answer: answer.status >= 400 and self.append(f"{answer.status} {answer.url}")
        )

    def note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.append(message.text)


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page of the arena; a test fails if one of its pages complained."""
    contexts: list[BrowserContext] = []
    errors = Errors()

    def opened(
        path: str,
        *,
        ready: str = ".viewer.ready .panels",
        cookies: Any = None,
        script: str = "",
        routes: dict[str, Callable[[Route], None]] | None = None,
        **options: Any,
    ) -> Page:
        context = browser.new_context(
            base_url=address, **{"viewport": {"width": 1440, "height": 900}, **options}
        )
        if cookies:
            context.add_cookies(cookies)
        if script:
            context.add_init_script(script)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        errors.watch(page)
        for pattern, answer in (routes or {}).items():
            page.route(pattern, answer)
        page.goto(path)
        if ready:
            page.wait_for_selector(ready)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def shoot(page: Page, name: str) -> None:
    """Keep a picture of the page for people to look at."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.evaluate(AT_REST)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


@pytest.fixture
def finished(transactional_db: None) -> Any:
    """A match of four that is over."""
    from tests.e2e.matches import claim, new_match, played, report

    match = new_match()
    report(match, claim(match), played(match))
    match.refresh_from_db()
    return match


@pytest.fixture
def signed_in(transactional_db: None, address: str) -> Callable[[str], list[dict[str, str]]]:
    """The cookies of somebody who is signed in."""
    from django.conf import settings
    from django.test import Client

    from arena.accounts.models import User

    def cookies(name: str) -> list[dict[str, str]]:
        client = Client()
        client.force_login(User.objects.get(username=name))
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        return [{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": address}]

    return cookies
