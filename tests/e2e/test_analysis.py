"""A finished match in a browser: explained, played differently, shared, and played on by bots."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now
from playwright.sync_api import Page, expect

from arena.accounts.models import User
from arena.analysis import services
from arena.analysis.explaining import explain, unpack
from arena.analysis.models import Explanation
from arena.analysis.positions import tell_variation
from arena.browser.pyodide_package import is_fetched
from arena.matches.models import Match
from arena.replays.selectors import report_of
from tests.arena.cast import make_bot
from tests.e2e.conftest import shoot
from tests.e2e.looks import LOOKS, serious
from tests.e2e.steps import at_step, step_of

OpenPage = Callable[..., Page]
BOARD_READY = ".at-analysis.ready"


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def explain_with_marks(match: Match) -> None:
    """Explain it over worlds in which decisions stand out; a match's own, drawn by its name, may show none."""
    report = report_of(match)
    assert report
    packed = explain(bytes(report.record), services.CHEAP, "6")
    assert any(one["mark"] for one in unpack(packed)["decisions"])
    Explanation.objects.create(match=match, worlds=services.CHEAP, packed=packed)


@pytest.mark.parametrize("look", LOOKS)
def test_a_reader_sees_which_decisions_stand_out_and_what_was_better(
    open_page: OpenPage, finished: Any, look: str
) -> None:
    explain_with_marks(finished)
    page = open_page(f"/matches/{finished.public_id}/", **LOOKS[look])
    page.locator("#tab-explained").click()
    marks = page.locator(".moments.judged .moment")
    expect(marks.first).to_be_attached()
    lines = page.locator(".marked-lines button")
    assert lines.count() == marks.count() > 0
    lines.first.click()
    expect(page.locator(".judged-decision h3")).to_contain_text("Decision of")
    expect(page.locator(".judged-decision tbody tr").first).to_be_visible()
    page.get_by_role("button", name="What would “champion” have done?").click()
    expect(page.locator(".champion-says")).to_contain_text("would have played")
    page.get_by_label("Show marks on the timeline").uncheck()
    expect(marks).to_have_count(0)
    page.get_by_label("Show marks on the timeline").check()
    shoot(page, f"explained-{look}")
    assert serious(page) == []
    assert not is_too_wide(page)
    step = step_of(page)
    page.get_by_role("link", name="Try something else from here").click()
    page.wait_for_selector(BOARD_READY)
    assert "analysis/?step=" in page.url
    page.go_back()
    at_step(page, step)


@pytest.mark.parametrize("look", LOOKS)
def test_other_actions_are_tried_shared_and_opened_again(
    open_page: OpenPage, finished: Any, look: str
) -> None:
    page = open_page(f"/matches/{finished.public_id}/analysis/?step=30", ready=BOARD_READY, **LOOKS[look])
    board = page.locator("#analysis")
    for count in (1, 2, 3):
        decide(page)
        expect(board).to_have_attribute("data-actions", str(count))
    page.get_by_role("button", name="Undo").click()
    expect(board).to_have_attribute("data-actions", "2")
    page.locator(".line-actions button").first.click()  # a branch begins after the first action
    expect(board).to_have_attribute("data-actions", "1")
    decide(page)
    expect(board).to_have_attribute("data-actions", "2")
    page.get_by_label("Name of the variation").fill("A bolder start")
    page.get_by_role("button", name="Save and share").click()
    link = page.locator(".saved a")
    expect(link).to_be_visible()
    shoot(page, f"analysis-{look}")
    assert serious(page) == []
    assert not is_too_wide(page)
    line = page.locator(".line-actions").inner_text()
    page.goto(link.get_attribute("href") or "")
    page.wait_for_selector(BOARD_READY)
    expect(page.locator("h1")).to_have_text("A bolder start")
    assert page.locator(".line-actions").inner_text() == line


def test_bots_play_on_and_the_result_can_be_opened_again(open_page: OpenPage, finished: Any) -> None:
    page = open_page(f"/matches/{finished.public_id}/analysis/?step=30", ready=BOARD_READY)
    page.get_by_label("Games").fill("40")
    page.get_by_role("button", name="Play on").click()
    rows = page.locator(".play-result tbody tr")
    expect(rows).to_have_count(4)
    assert re.search(r"40 games, seed [0-9a-f]{16}", page.locator(".play-result").inner_text())
    table = page.locator(".play-result table").inner_text()
    shoot(page, "continuation-desktop")
    assert serious(page) == []
    page.locator(".own-address").click()
    page.wait_for_selector(BOARD_READY)
    assert "/continuations/" in page.url
    expect(rows).to_have_count(4)
    assert page.locator(".play-result table").inner_text() == table


@pytest.mark.skipif(
    not is_fetched(), reason="Pyodide was not fetched: python -m arena.browser.pyodide_package"
)
def test_variations_are_answered_by_the_engine_in_this_browser(open_page: OpenPage, finished: Any) -> None:
    page = open_page(f"/matches/{finished.public_id}/analysis/?step=30", ready=BOARD_READY)
    board = page.locator("#analysis")
    expect(board).to_have_attribute("data-by", "arena")
    page.get_by_role("button", name="Run the rules in this browser").click()
    expect(page.get_by_text("The rules run in this browser")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(3):
        decide(page)
    expect(board).to_have_attribute("data-by", "browser")
    page.get_by_role("button", name="Undo").click()
    expect(board).to_have_attribute("data-actions", "2")
    assert not [one for one in asked if "/analysis/try" in one]
    told = tell_variation(bytes(finished.report.record), 30, page.evaluate("analysis.actions"))
    assert page.evaluate("analysis.told.legal") == told["legal"]
    shoot(page, "analysis-own-engine")
    assert serious(page) == []
    page.reload()  # it was asked for once, so it is loaded again
    expect(page.get_by_text("The rules run in this browser")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS)
def test_bots_by_their_address_play_on_and_are_stopped(
    open_page: OpenPage, finished: Any, signed_in: Callable[[str], Any], look: str
) -> None:
    make_bot("house-greedy", is_house=True)
    owner = finished.seats_taken.first().version.bot.owner
    User.objects.filter(pk=owner.pk).update(email_confirmed_at=Now())
    page = open_page(
        f"/matches/{finished.public_id}/analysis/?step=30",
        ready=BOARD_READY,
        cookies=signed_in(owner.username),
        **LOOKS[look],
    )
    page.locator(".playing-on select").first.select_option("other")
    expect(page.get_by_text("You can have 300 more games played today.")).to_be_visible()
    address = page.locator(".playing-on input[list]").nth(1)
    address.fill("house-greedy")
    page.get_by_role("button", name="Play on").click()
    expect(page.locator(".play-result")).to_contain_text("0 of 20 games are over")
    shoot(page, f"continuation-on-hosts-{look}")
    assert serious(page) == []
    assert not is_too_wide(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".play-result")).to_contain_text("Stopped after 0 of 20 games")
    page.locator(".own-address").click()
    page.wait_for_selector(BOARD_READY)
    expect(page.locator(".play-result")).to_contain_text("Stopped after 0 of 20 games")
    expect(page.locator(".playing-on input[list]").nth(1)).to_have_value("house-greedy 1")


def decide(page: Page) -> None:
    """Place a pawn on the first territory there is, or end the turn."""
    board = page.locator("#analysis")
    before = int(board.get_attribute("data-actions") or 0)
    button = page.locator(".ask-buttons [data-action]").first
    if button.count():
        button.click()
    else:
        page.locator(".targets .target").first.press("Enter")
    expect(board).to_have_attribute("data-actions", str(before + 1))
