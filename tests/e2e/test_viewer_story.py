"""The viewer tells the story of a match: reasons, key moments, highlights, chapters, motion and sound."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from arena.matches.models import Match
from tests.e2e.conftest import shoot
from tests.e2e.steps import at_step, go_to_event, step_of

Open = Callable[..., Page]


def test_a_conflict_says_why_it_was_won(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    go_to_event(page, "battle_declared")
    expect(page.locator(".caption")).to_contain_text(re.compile(r"\d × \d+ beats \d × \d+ \(\w+\)"))
    expect(page.locator(".caption")).not_to_contain_text(re.compile("Coyote|Quetzal|Ocelot|Serpent"))


def test_key_moments_are_on_the_timeline_and_in_the_story(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    page.get_by_role("tab", name="Story").click()
    lines = page.locator(".story-lines button")
    expect(lines.nth(3)).to_be_visible()
    count = lines.count()
    expect(page.locator(".scrubber .moment")).to_have_count(count)
    lines.filter(has_text="Biggest swing").click()
    expect(page.locator(".moment-note")).to_contain_text("Biggest swing")
    at_step(page, page.evaluate("viewer.game.moments.find((one) => one.kind === 'swing').step"))


def test_the_highlights_play_the_match_in_about_a_minute(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    total = page.evaluate("viewer.game.highlights.reduce((sum, [, ms]) => sum + ms, 0)")
    assert 59_000 < total < 61_000
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Highlights").click()
    expect(page.get_by_role("button", name="Highlights")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".when")).to_have_text("Age 5 · The end")
    expect(page.get_by_role("button", name="Highlights")).to_have_attribute("aria-pressed", "false")


def test_steps_are_grouped_by_age_round_and_conflict(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    jump = page.get_by_label("Jump to an age, round or conflict")
    assert jump.locator("optgroup").count() == 5
    page.keyboard.press("]")
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert "Round" in jump.evaluate("(select) => select.selectedOptions[0].textContent")
    shown = int(step_of(page))
    page.keyboard.press("[")
    assert int(step_of(page)) < shown
    expect(page.locator(".log-round").first).to_have_text("Round 1")


def test_a_moved_pawn_walks_unless_somebody_wants_no_motion(open_page: Open, finished: Match) -> None:
    walk = """() => { const at = viewer.game.frames.findIndex((frame) => frame.events.some((event) => event.kind === "pawn_moved"));
      viewer.go(at - 1); viewer.go(at); return document.querySelectorAll(".walker").length; }"""
    page = open_page(f"/matches/{finished.public_id}/")
    assert page.evaluate(walk) == 1
    expect(page.locator(".walker")).to_have_count(0)
    calm = open_page(f"/matches/{finished.public_id}/", reduced_motion="reduce")
    assert calm.evaluate(walk) == 0


def test_sound_is_off_until_asked_for_and_remembered(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/")
    assert page.evaluate("viewer.sound === undefined")
    page.get_by_role("button", name="Switch the sound on").click()
    expect(page.get_by_role("button", name="Switch the sound off")).to_be_visible()
    assert page.evaluate("viewer.sound.isOn && viewer.sound.context instanceof AudioContext")
    page.reload()
    page.wait_for_selector(".viewer.ready .panels")
    expect(page.get_by_role("button", name="Switch the sound off")).to_be_visible()


def test_on_a_small_laptop_the_log_has_several_lines(open_page: Open, finished: Match) -> None:
    page = open_page(f"/matches/{finished.public_id}/#step=150", viewport={"width": 1366, "height": 768})
    height = page.evaluate(
        "() => innerHeight - document.querySelector('.log').parentElement.getBoundingClientRect().top"
    )
    line = page.locator(".log-lines [aria-current]").bounding_box()
    assert line
    assert height > 4 * line["height"]
    shoot(page, "match-small-laptop")
