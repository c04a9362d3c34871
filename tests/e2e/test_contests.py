"""The pages of tournaments and ladders: sound for axe, nothing cut off on a phone, pictures of each."""

from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.ladders.results import settle_match
from arena.tournaments import entering, services
from arena.tournaments.models import Tournament
from tests.arena.cast import ask_for, finish, make_bot, make_season
from tests.arena.events import new_event, play_open, play_out
from tests.e2e.conftest import shoot
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
    names = ("swiss/desk", "soon/desk", "soon/edit", "finals/desk", "new", "new?preset=world", "swiss/stage")
    desk = [f"/tournaments/{name}" for name in names]
    page = open_page("/", ready="h1", cookies=signed_in("olin"), **LOOKS[size])
    assert "\n".join(look_over(page, [*contests, *desk], size)) == ""


def test_brackets_fit_the_paper(open_page: Open, contests: list[str]) -> None:
    paper = {"viewport": {"width": 794, "height": 1123}, "color_scheme": "light"}
    page = open_page("/", ready="h1", **paper)
    page.emulate_media(media="print")
    for path in ("/tournaments/double/", "/tournaments/finals/", "/tournaments/groups/"):
        page.goto(path)
        shoot(page, f"{path.strip('/').replace('/', '-')}-print")
        edges = "[...document.querySelectorAll('.bracket')].map((one) => one.getBoundingClientRect().right)"
        assert all(edge <= 794 for edge in page.evaluate(edges))


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_the_stage_fits_the_wall(open_page: Open, contests: list[str], width: int, height: int) -> None:
    page = open_page("/tournaments/swiss/stage", ready="h1", viewport={"width": width, "height": height})
    expect(page.locator(".boards > li")).to_have_count(4)
    expect(page.locator(".mini[data-step]")).to_have_count(4)
    shoot(page, f"stage-{width}")
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_the_form_shows_what_the_format_uses_and_tie_breaks_are_sorted_by_keyboard(
    open_page: Open, transactional_db: None, signed_in: Cookies
) -> None:
    User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    page = open_page("/tournaments/new", ready="h1", cookies=signed_in("olin"))
    expect(page.get_by_label("group size")).to_be_hidden()
    page.get_by_label("Groups, then knockout").check()
    expect(page.get_by_label("group size")).to_be_visible()
    expect(page.get_by_label("minimum rating")).to_be_hidden()
    page.get_by_label("Name", exact=True).fill("Sorted Cup")
    page.get_by_role("button", name="Move seed up").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move seed up")).to_be_focused()
    expect(page.locator("[role=status]")).to_have_text("Seed is now number 5.")
    page.locator("input[name=tie_breaks][value=rating]").uncheck()
    page.get_by_label("Name", exact=True).press("Enter")
    page.wait_for_url("**/desk")
    assert Tournament.objects.get().tie_breaks == [
        "points", "head_to_head", "buchholz", "sonneborn_berger", "seed", "placements",
    ]  # fmt: skip


def test_the_form_works_without_a_script(open_page: Open, transactional_db: None, signed_in: Cookies) -> None:
    User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    page = open_page("/tournaments/new", ready="h1", cookies=signed_in("olin"), java_script_enabled=False)
    page.get_by_label("Name", exact=True).fill("Plain Cup")
    page.get_by_role("button", name="Move seed up").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Plain Cup")
    page.get_by_label("Gauntlet").check()
    expect(page.get_by_label("Rounds", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/desk")
    assert Tournament.objects.get().tie_breaks[-2:] == ["seed", "rating"]


def test_the_desk_renews_itself_and_keeps_what_is_typed(
    open_page: Open, transactional_db: None, signed_in: Cookies
) -> None:
    olin = User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    event = new_event(olin, 3, state="registration")
    page = open_page("/", ready="h1", cookies=signed_in("olin"))
    page.clock.install()
    page.goto("/tournaments/cup/desk")
    page.get_by_label("Name of a bot").fill("Ran")
    page.get_by_label("Bots, strongest first").fill("Bot-2")
    make_bot("late-jaguar")
    entering.enter(event.pk, Bot.objects.get(slug="late-jaguar"), olin)
    page.clock.fast_forward(5_000)
    expect(page.locator("[data-part=entrants]")).to_contain_text("Late-Jaguar")
    expect(page.locator("[data-part=agenda]")).to_contain_text("4 bots have entered.")
    expect(page.get_by_label("Name of a bot")).to_have_value("Ran")
    expect(page.get_by_label("Bots, strongest first")).to_have_value("Bot-2")


def test_names_of_bots_are_completed(open_page: Open, transactional_db: None, signed_in: Cookies) -> None:
    olin = User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    new_event(olin, 1, state="registration")
    make_bot("jaguar")
    page = open_page("/tournaments/cup/desk", ready="h1", cookies=signed_in("olin"))
    page.get_by_label("Name of a bot").press_sequentially("jag")
    expect(page.locator("#bots option")).to_have_attribute("value", "Jaguar")
    page.get_by_label("Name of a bot").fill("Jaguar")
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Jaguar entered.")


def test_a_running_event_renews_itself(open_page: Open, transactional_db: None, address: str) -> None:
    olin = User.objects.create(username="olin", email="olin@example.org", is_organiser=True)
    event = new_event(olin, 4, seats=2, format="swiss")
    page = open_page("/", ready="h1")
    page.clock.install()
    page.goto("/tournaments/cup/")
    page.get_by_role("heading", name="Round 1").wait_for()
    play_open(event)
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("link", name="Round 2")).to_be_visible()


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
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#id_lock_at")).to_have_value("2090-01-31T13:30")
    page.fill("#id_best_of", "1")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/desk")
    event.refresh_from_db()
    assert event.lock_at == noon + timedelta(minutes=90)
    page.goto("/tournaments/cup/")
    expect(page.locator("time").first).to_contain_text("31 Jan 2090, 13:30")
    expect(page.locator("time").first).to_contain_text("-6")
