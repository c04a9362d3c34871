"""A newcomer's first game: from the home page, with the coach and with hints, to the summary; also on a phone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_play import choose_by_mouse, choose_by_touch

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def host(address: str, tmp_path: Path, settings: Any) -> Iterator[Any]:
    from tests.e2e.tables import activate_house_bots, table_host

    settings.MEDIA_ROOT = tmp_path / "media"
    activate_house_bots("random", "greedy", "settler")
    with TemporaryDirectory(prefix="aztlan-tables-") as folder, table_host(address, Path(folder)) as process:
        yield process


def close_lessons(page: Page) -> list[str]:
    """Read and close every lesson that is open; return their names."""
    read = []
    while name := page.locator(".coach").get_attribute("data-lesson"):
        read.append(name)
        page.locator("[data-coach=got_it]").click()
    return read


def let_it_play_on(page: Page) -> list[str]:
    """Have the house bot play on until the match is over, reading each lesson; return their names."""
    from tests.e2e.tables import OVER, TURN

    read: list[str] = []
    while True:
        page.wait_for_selector(f"{TURN}, {OVER}, .coach:not([data-lesson=''])")
        if page.locator(OVER).count():
            return read
        read += close_lessons(page)
        button = page.locator("[data-coach=play_on]")
        if button.is_visible() and button.inner_text() == "Play on for me":
            button.click()
        page.wait_for_selector(".coach[data-playing-on=no]", state="attached")


def test_a_newcomer_is_led_through_a_whole_game(host: Any, open_page: Callable[..., Page]) -> None:
    from tests.e2e.conftest import shoot
    from tests.e2e.looks import serious
    from tests.e2e.tables import TURN, decide

    page = open_page("/", ready="h1", reduced_motion="reduce")
    page.locator(".opening .actions a").first.click()
    expect(page.locator("h1")).to_have_text("Your first game")
    assert serious(page) == []
    shoot(page, "first-game-begin")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(TURN)
    expect(page.locator("#coach-title")).to_have_text("Welcome to the valley")
    assert serious(page) == []
    shoot(page, "first-game-welcome")
    assert close_lessons(page)[:2] == ["welcome", "power"]
    page.keyboard.press("h")
    expect(page.locator(".hint-text")).to_contain_text("of the games")
    expect(page.locator(".ask-buttons .hinted")).to_have_count(1)
    decide(page, choose_by_mouse, 1)
    expect(page.locator("#coach-title")).to_have_text("Place a pawn")
    close_lessons(page)
    page.get_by_role("button", name="Hint (H)").click()
    expect(page.locator(".targets .hinted")).to_have_count(1)
    shoot(page, "first-game-hint")
    assert serious(page) == []
    decide(page, choose_by_mouse, 1)
    read = let_it_play_on(page)
    assert {"domains", "swap", "last"} <= set(read)
    expect(page.locator(".summary h3").first).to_have_text("Why it ended so")
    expect(page.locator(".coach")).to_be_hidden()
    shoot(page, "first-game-over")
    assert serious(page) == []
    expect(page.get_by_role("link", name="Write a bot of your own")).to_be_visible()
    page.get_by_role("link", name="Play a stronger bot").click()
    expect(page.locator("[name=first]")).to_have_value("house-settler")


def test_on_a_phone_explanations_can_be_ended_and_are_not_shown_again(
    host: Any, open_page: Callable[..., Page]
) -> None:
    from tests.e2e.conftest import shoot
    from tests.e2e.tables import TURN, decide

    page = open_page("/play/first-game/", ready="form", reduced_motion="reduce", **PHONE)
    page.get_by_role("button", name="Begin").tap()
    page.wait_for_selector(TURN)
    shoot(page, "first-game-phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("[data-coach=never_again]").tap()
    expect(page.locator(".coach")).to_have_attribute("data-lesson", "power")
    page.reload()
    page.wait_for_selector(TURN)
    expect(page.locator(".coach")).to_have_attribute("data-lesson", "power")  # the welcome is known for good
    page.locator("[data-coach=coach_end]").tap()
    expect(page.locator(".coach-lesson")).to_be_hidden()
    decide(page, choose_by_touch, 2)
    expect(page.locator(".coach-lesson")).to_be_hidden()
    page.wait_for_selector(TURN)  # while bots play, the page moves under the finger
    page.get_by_role("button", name="Resign").tap()
    page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(page.locator(".ending h2")).to_be_visible()
