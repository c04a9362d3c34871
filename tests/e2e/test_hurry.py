"""People faster than the page, and pages slower than people: the viewer does what was asked for last."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect
from redis import Redis

from arena.matches.models import Match
from tests.e2e.matches import claim, new_match, played, public_frames, show

Open = Callable[..., Page]
# Answers to the views named in `slow` wait until the test lets them go.
HOLD = """{ const fetched = window.fetch; window.slow = {}; let free = {};
  window.letGo = (view) => free[view]();
  window.fetch = async (url, ...rest) => {
    const view = /frames\\/(\\w+)/.exec(url)?.[1];
    if (view in window.slow) await new Promise((go) => { free[view] = go; });
    if (window.slow[view] === 'fails') throw new TypeError('no network');
    return fetched(url, ...rest);
  }; }"""


def test_a_key_counts_before_a_closed_dialog_gives_up_the_focus(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    focused = page.evaluate("""() => {
      viewer.help();
      viewer.dialog.close();
      const focused = document.activeElement;
      focused.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
      return focused.textContent;
    }""")
    assert focused == "Close"
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_the_view_asked_for_last_is_shown_though_another_comes_later(
    open_page: Open, finished: Match
) -> None:
    page = open_page(f"/matches/{finished.public_id}/", script=HOLD)
    page.evaluate("slow.seat1 = 'comes'; void viewer.setView('seat1'); void viewer.setView('public')")
    expect(page.get_by_label("View")).to_have_value("public")
    page.evaluate("letGo('seat1')")
    page.wait_for_function("() => viewer.games.has('seat1')", polling=50)
    assert page.evaluate("viewer.view") == "public"
    expect(page.get_by_label("View")).to_have_value("public")


def test_a_view_that_cannot_be_had_leaves_the_old_one(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=12", script=HOLD)
    page.evaluate("slow.seat1 = 'fails'")
    page.get_by_label("View").select_option("seat1")
    page.evaluate("letGo('seat1')")
    expect(page.locator(".toast")).to_contain_text("could not be loaded")
    expect(page.get_by_label("View")).to_have_value("open")
    expect(page.locator("#viewer")).to_have_attribute("data-step", "12")


def test_an_address_is_read_though_the_viewer_was_about_to_write_its_own(
    open_page: Open, finished: Match
) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=12")
    # The page is busy for so long that the writing is due before it hears of the new address.
    page.evaluate("""() => {
      viewer.step(1);
      location.hash = '#step=40';
      for (const end = performance.now() + 400; performance.now() < end;);
    }""")
    expect(page.locator("#viewer")).to_have_attribute("data-step", "40")


def test_keys_and_buttons_wait_for_the_first_picture(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match(seats=2)
    claim(match)
    page = open_page(f"/matches/{match.public_id}/")
    for key in (" ", "PageDown", "1", "c", "p", "v", "Home"):
        page.keyboard.press(key)
    expect(page.locator(".controls[inert]")).to_have_count(1)
    show(redis, match.public_id, public_frames(played(match))[:3])
    expect(page.locator("#viewer")).to_have_attribute("data-step", "2")
    expect(page.locator(".controls:not([inert])")).to_have_count(1)


def test_a_match_that_cannot_be_loaded_says_so(browser: Browser, address: str, finished: Match) -> None:
    with browser.new_context(base_url=address) as context:
        context.route("**/frames/*", lambda route: route.abort())
        page = context.new_page()
        page.goto(f"/matches/{finished.public_id}/")
        expect(page.get_by_role("alert")).to_contain_text("Check your connection and reload the page.")
