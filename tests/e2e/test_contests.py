"""The pages of tournaments and ladders: sound for axe, nothing cut off on a phone, pictures of each."""

from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from arena.accounts.models import User
from arena.ladders.results import settle_match
from arena.tournaments import services
from tests.arena.cast import ask_for, finish, make_bot, make_season
from tests.arena.events import new_event, play_open, play_out
from tests.e2e.looks import LOOKS, look_over

Open = Callable[..., Page]
Cookies = Callable[[str], list[dict[str, str]]]


@pytest.fixture
def contests(transactional_db: None) -> list[str]:
    """Events in every stage and a ladder; the addresses of their pages."""
    olin = User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    finals = new_event(
        olin, 14, seats=4, advance=2, format="single_elimination", slug="finals", name="Finals"
    )
    play_out(finals)
    swiss = new_event(olin, 9, seats=2, format="swiss", slug="swiss", name="The Open Swiss of the Valley")
    play_open(swiss)
    play_open(swiss)
    double = new_event(olin, 8, seats=2, format="double_elimination", slug="double", name="Double")
    play_out(double)
    groups = new_event(olin, 12, seats=3, format="groups", slug="groups", name="Groups", release="hidden")
    play_open(groups)
    new_event(olin, 5, state="registration", slug="soon", name="Soon", min_games=3, per_owner=2)
    empty = new_event(olin, 0, state="registration", slug="empty", name="Empty")
    services.cancel(empty.pk, olin, "nobody came")
    season = make_season()
    versions = [make_bot(f"climber-{number}", f"climber-author-{number}") for number in range(6)]
    for turn in range(6):
        match = ask_for(versions[turn % 3 :][:4], season)
        finish(match)
        settle_match(match.pk)
    ladder = season.ladder.get_absolute_url()
    events = ["finals", "swiss", "double", "groups", "soon", "empty"]
    pages = ["/tournaments/", *[f"/tournaments/{slug}/" for slug in events], "/tournaments/swiss/?round=1"]
    return [*pages, "/ladders/", ladder, f"{ladder}head-to-head/", f"{ladder}bots/climber-1/"]


@pytest.mark.parametrize("size", LOOKS)
def test_pages_of_contests_are_sound(
    open_page: Open, contests: list[str], signed_in: Cookies, size: str
) -> None:
    desk = [f"/tournaments/{name}" for name in ("swiss/desk", "soon/desk", "soon/edit", "finals/desk", "new")]
    page = open_page("/", ready="h1", cookies=signed_in("olin"), **LOOKS[size])
    assert "\n".join(look_over(page, [*contests, *desk], size)) == ""


def test_a_running_event_renews_itself(open_page: Open, transactional_db: None, address: str) -> None:
    olin = User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    event = new_event(olin, 4, seats=2, format="swiss")
    page = open_page("/", ready="h1")
    page.clock.install()
    page.goto("/tournaments/cup/")
    page.get_by_role("heading", name="Round 1").wait_for()
    play_open(event)
    page.clock.fast_forward(10_000)
    page.get_by_role("link", name="Round 2").wait_for()


def test_times_are_typed_and_shown_in_the_readers_zone(
    open_page: Open, transactional_db: None, signed_in: Cookies
) -> None:
    olin = User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    noon = datetime(2090, 1, 31, 12, 0, tzinfo=ZoneInfo("America/Mexico_City"))
    event = new_event(olin, 2, state="registration", lock_at=noon)
    page = open_page(
        "/tournaments/cup/edit", ready="h1", cookies=signed_in("olin"), timezone_id="America/Mexico_City"
    )
    expect(page.locator("[data-zone]")).to_have_text("America/Mexico_City")
    expect(page.locator("#id_lock_at")).to_have_value("2090-01-31T12:00")
    page.fill("#id_lock_at", "2090-01-31T13:30")
    page.fill("#id_best_of", "99")
    page.locator("main form button").click()
    expect(page.locator("#id_lock_at")).to_have_value("2090-01-31T13:30")
    page.fill("#id_best_of", "1")
    page.locator("main form button").click()
    page.wait_for_url("**/desk")
    event.refresh_from_db()
    assert event.lock_at == noon + timedelta(minutes=90)
    page.goto("/tournaments/cup/")
    expect(page.locator("time").first).to_contain_text("31 Jan 2090, 13:30")
    expect(page.locator("time").first).to_contain_text("-6")
