"""The replay viewer in a real browser: scrubbing, playing, keys, links, views, phones, ears."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.matches.models import Match
from tests.arena.people import make_person
from tests.e2e.conftest import shoot
from tests.e2e.steps import at_step, go_to_event, step_of

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
Open = Callable[..., Page]


def test_the_scrubber_leads_to_any_step_and_says_which(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    at_step(page, 0)
    scrub = page.get_by_role("slider", name="Steps of the match")
    box = scrub.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = int(step_of(page))
    last = int(scrub.get_attribute("max") or 0)
    assert last / 3 < middle < 2 * last / 3
    expect(scrub).to_have_attribute("aria-valuetext", re.compile(rf"Step {middle} of \d+, Age \d · "))
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 30, box["y"] + 5, steps=5)
    page.mouse.up()
    at_step(page, page.evaluate("viewer.game.name(viewer.game.last)"))
    expect(page.locator(".seat.won")).to_have_count(1)


def test_it_plays_and_pauses_and_the_speed_matters(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#viewer")).to_have_attribute("data-step", re.compile(r"^(2\d|[3-9]\d|\d{3})$"))
    page.get_by_role("button", name="Pause").click()
    stopped = step_of(page)
    page.wait_for_timeout(300)
    assert step_of(page) == stopped


def test_the_keys_do_what_the_help_says(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    press = page.keyboard.press
    press("ArrowRight")
    press("ArrowRight")
    at_step(page, 2)
    press("ArrowLeft")
    at_step(page, 1)
    press("PageDown")
    expect(page.locator(".when")).to_have_text("Age 1 · Development")
    press("End")
    expect(page.locator(".when")).to_have_text("Age 5 · The end")
    press("Home")
    at_step(page, 0)
    press("3")
    assert page.evaluate("viewer.game.frames[viewer.index].seat") == 2
    press("v")
    expect(page.get_by_label("View")).to_have_value("public")
    press("+")
    expect(page.get_by_label("Speed")).to_have_value("2")
    press("z")
    expect(page.locator(".table.zoomed")).to_have_count(1)
    press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    shown = step_of(page)
    press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#viewer")).not_to_have_attribute("data-step", shown)
    press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_link_leads_to_its_step_and_view_and_the_address_follows(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=123&view=seat2")
    at_step(page, 123)
    expect(page.get_by_label("View")).to_have_value("seat2")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/#step=124&view=seat2")
    page.evaluate("location.hash = '#step=40&view=public'")
    at_step(page, 40)
    expect(page.get_by_label("View")).to_have_value("public")
    page.evaluate("location.hash = '#step=99999'")
    expect(page.locator(".when")).to_have_text("Age 5 · The end")


@pytest.mark.parametrize(
    "hash_", ["#step=x&view=seat9", "#step=-4", "#nonsense", "#step=1e99&view=__proto__"]
)
def test_a_nonsense_link_opens_the_match_all_the_same(open_page: Open, finished: Match, hash_: str) -> None:
    page = open_page(f"/matches/{finished.public_id}/{hash_}")
    expect(page.locator(".step-count")).to_contain_text("Step")


def test_a_seat_sees_its_own_hand_and_the_backs_of_the_others(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=0&view=open")
    page.evaluate(
        "viewer.go(viewer.game.positions.findIndex("
        "(one) => one.phase === 1 && one.hand_sizes.every((size) => size)))"
    )
    assert page.evaluate("viewer.game.positions[viewer.index].hand_sizes.every((size) => size > 0)")
    expect(page.locator(".backs")).to_have_count(0)
    expect(page.locator(".power-card.face-down")).to_have_count(0)
    step = step_of(page)
    page.get_by_label("View").select_option("seat1")
    at_step(page, step)
    expect(page.locator(".backs")).to_have_count(3)
    expect(page.locator(".power-card.face-down")).to_have_count(3)
    expect(page.locator("[data-seat='1'] .held-card")).not_to_have_count(0)
    page.get_by_label("View").select_option("public")
    expect(page.locator(".backs")).to_have_count(4)


def test_the_log_says_what_happened_and_leads_there(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    line = page.locator(".log-lines button").nth(60)
    text = line.locator("span").last.inner_text()
    line.click()
    at_step(page, 60)
    expect(page.locator(".caption")).to_contain_text(text)
    expect(line).to_have_attribute("aria-current", "step")
    expect(page.locator(".sr[aria-live=polite]")).to_contain_text("Age 1")
    expect(page.locator(".overlay")).to_have_attribute("aria-label", re.compile(r"\w+"))


def test_what_changed_is_shown_on_the_board(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    go_to_event(page, "pawn_moved")
    expect(page.locator(".arrow:not(.halo)")).to_have_count(1)
    shoot(page, "match-moved")
    go_to_event(page, "battle_declared")
    expect(page.locator(".lit.battle")).not_to_have_count(0)
    expect(page.locator(".settled use")).not_to_have_count(0)
    shoot(page, "match-battle")
    go_to_event(page, "coexistence")
    expect(page.locator(".lit.peace")).to_have_count(1)
    go_to_event(page, "age_scored")
    expect(page.locator(".domain:not(.idle)")).not_to_have_count(0)
    expect(page.locator(".sum")).not_to_have_count(0)
    expect(page.locator(".counter.gained")).to_have_count(1)
    expect(page.locator(".caption")).to_contain_text("²")
    shoot(page, "match-scoring")


def test_every_step_of_every_view_can_be_drawn(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    for view in ("open", "public", "seat0", "seat3"):
        page.get_by_label("View").select_option(view)
        page.wait_for_function("(view) => viewer.view === view", arg=view)
        drawn = page.evaluate(
            "() => { for (let at = 0; at <= viewer.game.last; at += 1) viewer.go(at); return viewer.index; }"
        )
        assert drawn > 200


def test_charts_show_scores_and_chances_and_lead_to_a_step(open_page: Open, finished: Match) -> None:
    from arena.replays.services import work_out_chances

    work_out_chances(finished.pk, playouts=30)
    page = open_page(f"/matches/{finished.public_id}/")
    page.get_by_role("tab", name="Scores").click()
    expect(page.locator(".chart .line")).to_have_count(4)
    page.locator(".panel:visible .chart").click(position={"x": 200, "y": 60})
    assert int(step_of(page)) > 50
    page.get_by_role("tab", name="Chances").click()
    expect(page.locator(".chart .area")).to_have_count(4)
    shoot(page, "match-chances")
    page.get_by_role("tab", name="Chances").press("ArrowLeft")
    expect(page.get_by_role("tab", name="Scores")).to_be_focused()


def test_the_board_can_be_read(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    page.get_by_role("tab", name="Board").click()
    expect(page.get_by_text("There are no pawns on the board.")).to_be_visible()
    page.evaluate("viewer.go(viewer.game.find(133))")
    places = page.evaluate(
        "() => new Set(Object.keys(viewer.game.positions[viewer.index].pawns)"
        ".map((at) => at % viewer.game.positions[viewer.index].size)).size"
    )
    expect(page.locator(".places-list dt")).to_have_count(places)
    expect(page.locator(".places-list")).to_contain_text("Quetzalpan (jungle)Axolotl 1, Greedy 1, Obsidian 1")
    shoot(page, "match-board-in-words")


def test_keys_alone_lead_through_the_log_and_past_it(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=60")
    page.locator(".log-lines [aria-current]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    at_step(page, 61)
    expect(page.locator(".log-lines [tabindex='0']")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Axolotl", exact=True).last).to_be_focused()


def test_a_phone_has_the_whole_viewer_and_a_finger_steps(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=101", **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    swipe = """(to) => {
      const table = document.querySelector('.table');
      const touch = (x) => new Touch({ identifier: 1, target: table, clientX: x, clientY: 300 });
      table.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(200)] }));
      table.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: [touch(200 + to)] }));
    }"""
    page.evaluate(swipe, -90)
    at_step(page, 102)
    page.evaluate(swipe, 90)
    at_step(page, 101)
    shoot(page, "match-phone")
    page.get_by_role("button", name="Larger board").tap()
    shoot(page, "match-phone-zoomed")


def test_dark_and_light_and_calm(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=150", color_scheme="dark", reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(250, 246, 238)"
    go_to_event(page, "pawn_placed")
    assert page.evaluate("getComputedStyle(document.querySelector('.ring')).animationName") == "none"
    assert page.evaluate("getComputedStyle(document.querySelector('.counter')).transitionDuration") == "0s"
    go_to_event(page, "age_scored", 150)
    shoot(page, "match-dark")


def test_the_viewer_fills_the_screen_when_asked(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement?.id === 'viewer'")


def test_the_link_to_a_step_is_copied(open_page: Open, finished: Match, address: str) -> None:
    page = open_page(
        f"/matches/{finished.public_id}/#step=33&view=seat0",
        permissions=["clipboard-read", "clipboard-write"],
    )
    page.get_by_role("button", name="Copy a link to this step").click()
    expect(page.locator(".toast")).to_have_text("The link to this step is copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{address}/matches/{finished.public_id}/#step=33&view=seat0"


def test_a_picture_of_the_step_is_drawn_for_those_who_have_no_viewer(
    open_page: Open, finished: Match
) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=150&view=public")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Open a picture of this step").click()
    picture = opened.value
    expect(picture.locator("svg > title")).to_contain_text("step 150")
    assert "view=public" in picture.url


def test_it_works_in_a_frame_of_another_page(open_page: Open, finished: Match, address: str) -> None:
    page = open_page("/how-to-play/", ready="h1")
    page.set_content(
        f'<iframe src="{address}/matches/{finished.public_id}/embed/#step=12" width="1100" height="980">'
    )
    frame = page.frame_locator("iframe")
    expect(frame.locator(".viewer.ready")).to_have_attribute("data-step", "12")
    frame.get_by_role("button", name="Next step").click()
    expect(frame.locator("#viewer")).to_have_attribute("data-step", "13")
    shoot(page, "embedded")


def test_two_seats_share_four_tribes_and_swap_them(open_page: Open, transactional_db: None) -> None:
    from tests.e2e.matches import claim, new_match, played, report

    match = new_match(seats=2)
    report(match, claim(match), played(match))
    page = open_page(f"/matches/{match.public_id}/")
    expect(page.locator("[data-seat='0'] .side")).to_have_text("Coyote and Quetzal")
    go_to_event(page, "factions_swapped", 10)
    expect(page.locator("[data-seat='0'] .side")).to_have_text("Ocelot and Serpent")
    go_to_event(page, "age_scored", 100)
    shoot(page, "match-two-seats")


def test_an_author_sees_notes_times_and_output_and_others_have_no_such_tab(
    open_page: Open, finished: Match, signed_in: Callable[[str], Any]
) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=120", cookies=signed_in("itzel"))
    page.get_by_role("tab", name="Notes of Axolotl").click()
    expect(page.locator(".bot-note")).to_contain_text("<b>searched</b>")
    expect(page.locator(".bot-output")).to_have_text("seat 1 is ready\n")
    with page.expect_response("**/author/1?view=seat1"):
        page.get_by_label("View").select_option("seat1")
    expect(page.locator(".bot-note")).to_contain_text("<b>searched</b>")
    expect(page.locator(".chart .bar")).not_to_have_count(0)
    shoot(page, "match-author")
    other = open_page(f"/matches/{finished.public_id}/")
    expect(other.get_by_role("tab")).to_have_count(6)


def test_after_a_click_on_a_tab_or_another_view_the_arrow_keys_still_step(
    open_page: Open, finished: Match
) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=30")
    for name in ("Scores", "Board", "Log"):
        page.get_by_role("tab", name=name).click()
        before = int(step_of(page))
        page.keyboard.press("ArrowRight")
        at_step(page, before + 1)
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    for label, value in (("View", "public"), ("Speed", "4")):
        page.get_by_label(label).focus()
        page.get_by_label(label).select_option(value)
        before = int(step_of(page))
        page.keyboard.press("ArrowRight")
        at_step(page, before + 1)
        expect(page.get_by_label(label)).to_have_value(value)


def test_with_the_keyboard_alone_the_arrows_move_between_tabs(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=30")
    page.get_by_role("tab", name="Story").focus()
    page.get_by_role("tab", name="Story").press("Enter")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Board")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Board")).to_be_focused()
    assert int(step_of(page)) == 30


def test_four_counters_on_one_space_stay_on_the_board(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=0")
    page.locator(".counter").nth(3).wait_for()
    shoot(page, "four-counters")
    off = """() => { const { x, y, width, height } = document.querySelector(".overlay").viewBox.baseVal;
      return [...document.querySelectorAll(".counter")].map((one) => { const box = one.querySelector("use").getBBox(), at = one.transform.baseVal.consolidate().matrix;
        return [at.e + box.x - x, at.f + box.y - y, x + width - at.e - box.x - box.width, y + height - at.f - box.y - box.height]; })
        .filter((room) => Math.min(...room) < -0.01); }"""
    assert page.evaluate(off) == []


def test_staff_are_told_that_they_read_an_authors_notes_as_staff(
    open_page: Open, finished: Match, signed_in: Callable[[str], Any]
) -> None:
    make_person("citlali", is_staff=True)
    page = open_page(f"/matches/{finished.public_id}/", cookies=signed_in("citlali"))
    page.get_by_role("tab", name="Notes of Axolotl").click()
    expect(page.locator(".author:visible .note")).to_contain_text("You see this as staff")
    expect(page.locator(".author:visible")).not_to_contain_text("as the author, see this")
