"""People play at tables: by mouse, by touch and by keyboard, alone and together, through a reload."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, expect


@pytest.fixture
def host(address: str, tmp_path: Path, settings: Any) -> Iterator[Any]:
    from tests.e2e.tables import activate_house_bots, table_host

    settings.MEDIA_ROOT = tmp_path / "media"
    activate_house_bots("random", "greedy", "settler", "searcher")
    with TemporaryDirectory(prefix="aztlan-tables-") as folder, table_host(address, Path(folder)) as process:
        yield process


def tab_to(page: Page, place: Locator) -> None:
    """Press Tab until the focus is there; it goes round the page, so it meets everything that it can reach."""
    for _ in range(200):
        if place.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {place}")


def press(page: Page, way: str, place: Locator) -> None:
    """Press a button or follow a link, with what this person has."""
    if way == "keyboard":
        expect(place).to_be_visible()
        tab_to(page, place)
        page.keyboard.press("Enter")
    elif way == "touch":
        place.tap()
    else:
        place.click()


def sit_down_by_keyboard(page: Page, *opponents: str) -> None:
    """Choose each opponent by typing its name, and press Enter on the button."""
    for field, opponent in zip(("first", "second", "third"), opponents, strict=False):
        tab_to(page, page.locator(f"[name={field}]"))
        page.keyboard.type(opponent)
    press(page, "keyboard", page.get_by_role("button", name="Sit down"))


def sit_down(page: Page, *opponents: str) -> None:
    for field, opponent in zip(("first", "second", "third"), opponents, strict=False):
        page.select_option(f"[name={field}]", opponent)
    page.get_by_role("button", name="Sit down").click()


# A point at which the first territory that can be chosen is hit: none of its own shape is a rectangle.
INSIDE = """() => {
  const path = document.querySelector(".target");
  if (!path) return null;
  const box = path.getBoundingClientRect();
  for (let i = 1; i < 12; i++) for (let j = 1; j < 12; j++) {
    const x = box.x + (box.width * i) / 12, y = box.y + (box.height * j) / 12;
    if (document.elementFromPoint(x, y) === path) return [x, y];
  }
  return null;
}"""


def press_first(page: Page, press: Callable[..., None]) -> None:
    """Press the first button, unless the question has gone: then it was answered, and the next one comes."""
    with suppress(Error):
        press(page.locator(".ask-buttons button").first, timeout=2_000)


def choose_by_mouse(page: Page) -> None:
    """Click the first territory that can be chosen, or else the first button."""
    if at := page.evaluate(INSIDE):
        page.mouse.click(*at)
    else:
        press_first(page, Locator.click)


# What the keyboard would press now: a territory, a button of the question, or something else.
FOCUSED = (
    """() => ["target", "ask-buttons"].find((name) => document.activeElement.closest("." + name)) ?? "" """
)


def choose_by_keyboard(page: Page) -> None:
    """Tab to the question, unless the focus is there; go one territory on, and choose it, or press the button."""
    at = page.evaluate(FOCUSED)
    if at == "target":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter" if at else "Tab")


def choose_by_touch(page: Page) -> None:
    """Tap a territory until the arena has it; on a phone the second tap confirms."""
    page.evaluate("document.querySelector('.target')?.scrollIntoView({ block: 'center' })")
    if at := page.evaluate(INSIDE):
        page.touchscreen.tap(*at)
    else:
        press_first(page, Locator.tap)


WAYS = {"mouse": choose_by_mouse, "touch": choose_by_touch, "keyboard": choose_by_keyboard}
WIDTHS = {"desktop": {"width": 1366, "height": 768}, "phone": {"width": 390, "height": 844}}


@pytest.mark.parametrize(
    ("way", "seats", "size"),
    [
        ("mouse", 2, "desktop"),
        ("mouse", 4, "phone"),
        ("touch", 2, "phone"),
        ("touch", 4, "desktop"),
        ("keyboard", 2, "phone"),
        ("keyboard", 4, "desktop"),
    ],
)
def test_a_person_plays_a_whole_game_against_searcher_with_a_reload_in_the_middle(
    host: Any, open_page: Callable[..., Page], way: str, seats: int, size: str
) -> None:
    from tests.e2e.conftest import shoot
    from tests.e2e.tables import TURN, decide

    touches = {"has_touch": True, "is_mobile": size == "phone"} if way == "touch" else {}
    page = open_page("/play/", ready="form", reduced_motion="reduce", viewport=WIDTHS[size], **touches)
    names = ("searcher", "greedy", "random")[: seats - 1]
    if way == "keyboard":
        sit_down_by_keyboard(page, *(f"House {name}" for name in names))
    else:
        sit_down(page, *(f"house-{name}" for name in names))
    page.wait_for_selector(TURN)
    expect(page.locator(".seats .name").nth(1)).to_have_text("House searcher")
    shoot(page, f"play-choosing-{size}")
    decide(page, WAYS[way], 6)
    shoot(page, f"play-{way}-{size}")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[size]["width"]
    page.reload()
    decide(page, WAYS[way])
    expect(page.locator(".ending h2")).to_be_visible()
    shoot(page, f"play-over-{size}")
    press(page, way, page.locator(".ending a.button").first)
    page.wait_for_selector(".viewer.ready")
    expect(page.locator("h1")).to_contain_text("Guest")
    page.go_back()
    press(page, way, page.get_by_role("link", name="What would “champion” have done?"))
    expect(page.locator("#tab-explained")).to_have_attribute("aria-selected", "true")


def test_two_people_and_two_bots_play_in_two_browsers(host: Any, open_page: Callable[..., Page]) -> None:
    from tests.e2e.conftest import shoot
    from tests.e2e.tables import OVER, TURN

    one = open_page("/play/", ready="form", reduced_motion="reduce")
    sit_down(one, "friend", "house-greedy", "house-random")
    link = one.locator(".invitation-link").get_attribute("href")
    shoot(one, "play-invitation")
    two = open_page(str(link), ready="form", reduced_motion="reduce")
    two.get_by_role("button", name="Take the seat").click()
    pages = [one, two]
    for page in pages:
        page.wait_for_selector(TURN)
    while not all(page.locator(OVER).count() for page in pages):
        for page in pages:
            if page.locator(TURN).count():
                choose_by_mouse(page)
    for page in pages:
        expect(page.locator(".ending h2")).to_be_visible()
    one.locator(".ending").get_by_role("button", name="Play again").click()
    expect(one.locator(".invitation-link")).to_be_visible()
    expect(two.get_by_role("button", name="Join the rematch")).to_be_visible()


def test_a_table_is_clean_for_axe(host: Any, open_page: Callable[..., Page]) -> None:
    from tests.e2e.looks import serious
    from tests.e2e.tables import TURN, decide

    page = open_page("/play/", ready="form", reduced_motion="reduce")
    assert serious(page) == []
    sit_down(page, "house-greedy")
    page.wait_for_selector(TURN)
    assert serious(page) == []
    decide(page, choose_by_mouse, 3)
    page.wait_for_selector(".target")
    assert serious(page) == []
