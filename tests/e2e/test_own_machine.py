"""A reader's own browser verifies a match, with the arena's engine in it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from arena.browser.pyodide_package import is_fetched
from arena.matches.models import Match
from tests.e2e.conftest import PATIENCE_MS, shoot
from tests.e2e.looks import SIZES, serious

pytestmark = pytest.mark.skipif(
    not is_fetched(), reason="Pyodide was not fetched: python -m arena.browser.pyodide_package"
)
Open = Callable[..., Page]
DONE = "#verify [data-outcome]:not([data-outcome=''])"


def verify(page: Page) -> dict[str, str]:
    """Press the button and return the state of each check."""
    page.get_by_role("button", name="Verify on your own machine").click()
    page.wait_for_selector(DONE)
    lines: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#verify .checks li')].map((one) => [one.dataset.check, one.className])"
    )
    return dict(map(tuple, lines))


def changing(match: Match, change: Callable[[dict[str, Any]], None]) -> dict[str, Callable[[Route], None]]:
    """A record that somebody has changed on its way to the reader."""

    def answer(route: Route) -> None:
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    return {f"**/matches/{match.public_id}/record.json": answer}


@pytest.mark.parametrize("size", SIZES)
def test_a_browser_verifies_a_match_and_again_from_its_cache(
    open_page: Open, finished: Match, size: str
) -> None:
    page = open_page(f"/matches/{finished.public_id}/", **SIZES[size])
    requested: list[str] = []
    page.context.on("request", lambda request: requested.append(request.url))
    states = verify(page)
    assert set(states.values()) == {"ok"}
    assert list(states) == ["record", "seed", "start", "actions", "fingerprints", "result", "replay"]
    expect(page.locator("#verify [role=status]")).to_have_text(
        "Verified on your own machine: everything fits."
    )
    assert serious(page) == []
    shoot(page, f"verify-{size}")
    assert any("/engine/" in address for address in requested)  # nothing of it comes with the page
    requested.clear()
    assert set(verify(page).values()) == {"ok"}
    assert not any("/engine/" in address for address in requested)


def test_a_changed_action_is_found(open_page: Open, finished: Match) -> None:
    def change(record: dict[str, Any]) -> None:
        first, second = record["actions"][:2]
        assert first != second
        record["actions"][:2] = second, first

    page = open_page(f"/matches/{finished.public_id}/", routes=changing(finished, change))
    states = verify(page)
    assert states["record"] == states["seed"] == "ok"
    assert "bad" in (states["actions"], states["fingerprints"])
    expect(page.locator("#verify [role=status]")).to_contain_text("Not verified")
    shoot(page, "verify-failed")


def test_another_seed_is_found(open_page: Open, finished: Match) -> None:
    def change(record: dict[str, Any]) -> None:
        record["seed"] = "02" * 32

    page = open_page(f"/matches/{finished.public_id}/", routes=changing(finished, change))
    states = verify(page)
    assert states["seed"] == states["start"] == "bad"


def test_a_result_that_the_page_invents_is_found(open_page: Open, finished: Match) -> None:
    finished.seats_taken.filter(seat=2).update(score=99)
    page = open_page(f"/matches/{finished.public_id}/")
    states = verify(page)
    assert states["actions"] == states["replay"] == "ok"
    assert states["result"] == "bad"
    expect(page.locator("#verify [data-check=result]")).to_contain_text("99")


def test_a_replay_that_shows_something_else_is_found(open_page: Open, finished: Match) -> None:
    def answer(route: Route) -> None:
        lines = route.fetch().text().splitlines()
        frame = json.loads(lines[40])
        frame["set"]["scores"] = [7] * 4
        lines[40] = json.dumps(frame)
        route.fulfill(body="\n".join(lines), content_type="application/x-ndjson")

    page = open_page(f"/matches/{finished.public_id}/", routes={"**/frames/open": answer})
    states = verify(page)
    assert states["replay"] == "bad"
    assert {state for name, state in states.items() if name != "replay"} == {"ok"}


def test_a_file_of_the_engine_that_differs_is_not_used(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    page.context.route(
        "**/python_stdlib.zip",
        lambda route: route.fulfill(body=b"x" * 2545637, content_type="application/zip"),
    )
    verify(page)
    expect(page.locator("#verify [role=status]")).to_contain_text("not what this page asked for")


def test_without_webassembly_the_page_says_so(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/", script="delete globalThis.WebAssembly;")
    verify(page)
    expect(page.locator("#verify [role=status]")).to_contain_text("WebAssembly")


def test_without_a_network_the_page_says_so_and_a_later_click_works(
    browser: Browser, address: str, finished: Match
) -> None:
    context = browser.new_context(base_url=address)  # its browser may complain about the network
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"/matches/{finished.public_id}/")
    page.wait_for_selector(".viewer.ready")
    context.set_offline(True)
    verify(page)
    expect(page.locator("#verify [role=status]")).to_contain_text("Check your connection")
    context.set_offline(False)
    assert set(verify(page).values()) == {"ok"}
    context.close()
