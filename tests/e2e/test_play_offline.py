"""A person plays against house bots in the browser alone, and the network is cut once it is loaded."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from arena.browser.pyodide_package import is_fetched
from tests.e2e.conftest import PATIENCE_MS, shoot
from tests.e2e.looks import SIZES, serious
from tests.e2e.tables import TURN
from tests.e2e.test_play import choose_by_mouse

pytestmark = [
    pytest.mark.skipif(
        not is_fetched(), reason="Pyodide was not fetched: python -m arena.browser.pyodide_package"
    ),
    pytest.mark.django_db(transaction=True),
]
Open = Callable[..., Page]
OVER = ".ending .not-recorded"


def begin(page: Page, *opponents: str) -> None:
    for field, opponent in zip(("first", "second", "third"), opponents, strict=False):
        page.select_option(f"[name={field}]", opponent)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(TURN)


def decide_once(page: Page) -> None:
    before = page.locator("#seat").get_attribute("data-turn")
    while page.locator("#seat").get_attribute("data-turn") == before:
        choose_by_mouse(page)
    page.wait_for_selector(f"{TURN}, {OVER}")


def play_to_the_end(page: Page) -> None:
    while not page.locator(OVER).is_visible():
        decide_once(page)


def ready_for_next_time(page: Page) -> None:
    page.wait_for_selector("body[data-kept=yes]")


@pytest.fixture
def traveller(browser: Browser, address: str) -> Iterator[Page]:
    """A page whose network will be cut: the browser may complain about that."""
    context = browser.new_context(
        base_url=address, reduced_motion="reduce", viewport={"width": 1366, "height": 768}
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/play/offline/")
    page.wait_for_selector("#offline-form button:enabled")
    yield page
    context.close()


def test_a_game_goes_on_to_its_end_without_a_network_and_the_page_opens_again(traveller: Page) -> None:
    page = traveller
    begin(page, "greedy", "settler", "random")
    ready_for_next_time(page)
    page.context.set_offline(True)
    assert page.evaluate("fetch('/').then(() => 'reached', () => 'cut off')") == "cut off"
    shoot(page, "offline-choosing")
    play_to_the_end(page)
    expect(page.locator(".ending h2")).to_be_visible()
    shoot(page, "offline-over")
    page.reload()
    page.wait_for_selector("#offline-form button:enabled")
    begin(page, "random")


def test_a_decision_can_be_taken_back(open_page: Open) -> None:
    page = open_page("/play/offline/", ready="#offline-form button:enabled", reduced_motion="reduce")
    begin(page, "greedy")
    undo = page.get_by_role("button", name="Take back my last decision")
    expect(undo).to_be_disabled()
    decide_once(page)
    decide_once(page)
    after = page.evaluate("table.game.positions.at(-1)")
    expect(page.locator("#seat")).to_have_attribute("data-turn", "2")
    undo.click()
    expect(page.locator("#seat")).to_have_attribute("data-turn", "1")
    assert page.evaluate("table.game.positions.at(-1)") != after
    expect(page.locator(".notice[role=alert]")).to_contain_text("taken back")
    decide_once(page)
    expect(page.locator("#seat")).to_have_attribute("data-turn", "2")


def test_a_game_and_what_was_chosen_survive_a_reload(open_page: Open) -> None:
    page = open_page("/play/offline/", ready="#offline-form button:enabled", reduced_motion="reduce")
    begin(page, "settler", "greedy")
    decide_once(page)
    decide_once(page)
    before = page.evaluate("table.game.positions.at(-1)")
    page.reload()
    page.wait_for_selector(TURN)
    expect(page.locator("#seat")).to_have_attribute("data-turn", "2")
    assert page.evaluate("table.game.positions.at(-1)") == before
    page.get_by_role("button", name="Take back my last decision").click()
    expect(page.locator("#seat")).to_have_attribute("data-turn", "1")
    decide_once(page)
    page.get_by_role("button", name="New game").click()
    page.reload()
    page.wait_for_selector("#offline-form button:enabled")
    expect(page.locator("[name=first]")).to_have_value("settler")
    expect(page.locator("[name=second]")).to_have_value("greedy")


@pytest.mark.parametrize(
    "kept", ['"x"', "{", '{"seats": [1, 2]}', '{"seats": [null, "random"], "edition": "english"}']
)
def test_a_kept_game_that_cannot_be_read_stops_nobody(open_page: Open, kept: str) -> None:
    script = f"localStorage.getItem('offline-choices') || localStorage.setItem('offline-game', {kept!r})"
    page = open_page(
        "/play/offline/", ready="#offline-form button:enabled", reduced_motion="reduce", script=script
    )
    begin(page, "random")
    expect(page.get_by_text("Played in your browser only: not recorded.")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_the_page_has_no_serious_finding(open_page: Open, size: str) -> None:
    page = open_page(
        "/play/offline/", ready="#offline-form button:enabled", reduced_motion="reduce", **SIZES[size]
    )
    findings = serious(page)
    shoot(page, f"offline-form-{size}")
    begin(page, "greedy", "settler")
    expect(page.get_by_text("Played in your browser only: not recorded.")).to_be_visible()
    findings += serious(page)
    shoot(page, f"offline-{size}")
    assert findings == []


def test_a_game_can_be_played_by_keyboard(open_page: Open) -> None:
    page = open_page("/play/offline/", ready="#offline-form button:enabled", reduced_motion="reduce")
    begin(page, "random")
    first: Locator = page.locator(".ask-buttons button").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#seat")).to_have_attribute("data-turn", "1")
    page.locator(".target[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#seat")).to_have_attribute("data-turn", "2")
