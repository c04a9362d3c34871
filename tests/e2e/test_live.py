"""Running matches in a real browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect
from redis import Redis

from arena.matches.models import Match
from tests.arena.cast import ask_for, make_bot
from tests.e2e.conftest import shoot
from tests.e2e.matches import claim, new_match, played, public_frames, report, show

Open = Callable[..., Page]


def test_a_running_match_is_followed_left_and_joined_again(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match()
    claimant = claim(match)
    record = played(match)
    frames = public_frames(record)
    show(redis, match.public_id, frames[:90])
    page = open_page(f"/matches/{match.public_id}/")
    root = page.locator("#viewer")
    expect(root).to_have_attribute("data-step", "89")
    show(redis, match.public_id, frames[90:120])
    expect(root).to_have_attribute("data-step", re.compile("^9[1-9]$"))  # step by step, as people read
    page.get_by_role("button", name="Jump to now").click()
    expect(root).to_have_attribute("data-step", "119")
    expect(page.locator(".is-live .when")).to_be_visible()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("Through the eyes")
    shoot(page, "live")

    page.keyboard.press("Home")
    show(redis, match.public_id, frames[120:130])
    expect(page.get_by_role("slider")).to_have_attribute("max", "129")
    expect(root).to_have_attribute("data-step", "0")
    page.get_by_role("button", name="Jump to now").click()
    expect(root).to_have_attribute("data-step", "129")

    show(redis, match.public_id, frames[130:])
    report(match, claimant, record)
    expect(page.get_by_role("slider")).to_have_attribute("max", str(len(frames) - 1))
    expect(page.get_by_role("heading", name="Result")).to_have_count(
        0
    )  # whoever is behind is not told the end
    page.get_by_role("button", name="Jump to now").click()
    expect(root).to_have_attribute("data-step", str(len(frames) - 1))
    expect(page.locator(".toast")).to_have_text("The match is over: all views are available now.")
    page.get_by_label("View").select_option("seat1")
    expect(page.get_by_label("View")).to_have_value("seat1")
    expect(page.locator(".caption")).to_contain_text("wins the game")
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    expect(page.get_by_role("link", name="Record as JSON")).to_be_visible()
    page.get_by_role("tab", name="Story").click()
    expect(page.locator(".story-lines button")).not_to_have_count(0)


def test_a_new_attempt_starts_the_picture_again(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match(seats=3)
    claim(match)
    frames = public_frames(played(match))
    show(redis, match.public_id, frames[:50])
    page = open_page(f"/matches/{match.public_id}/")
    root = page.locator("#viewer")
    expect(root).to_have_attribute("data-step", "49")
    show(redis, match.public_id, frames[:8])
    expect(root).to_have_attribute("data-step", "7")
    expect(page.get_by_role("slider")).to_have_attribute("max", "7")


def test_a_new_attempt_may_begin_between_two_pictures(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match(seats=3)
    claim(match)
    frames = public_frames(played(match))
    show(redis, match.public_id, frames[:50])
    slow = "window.requestAnimationFrame = (draw) => setTimeout(draw, 1500);"
    page = open_page(f"/matches/{match.public_id}/", script=slow)
    expect(page.locator("#viewer")).to_have_attribute("data-step", "49")
    show(redis, match.public_id, frames[:8])
    expect(page.locator("#viewer")).to_have_attribute("data-step", "7")
    expect(page.locator(".log-lines [aria-current]")).to_have_attribute("data-index", "7")


def test_several_boards_are_watched_at_once(open_page: Open, redis: Redis, transactional_db: None) -> None:
    first = new_match()
    others = [ask_for([make_bot(f"{name}-{at}") for name in ("maize", "jade", "copal")]) for at in range(3)]
    for at, match in enumerate([first, *others]):
        claim(match, host=f"host-{at}")
        show(redis, match.public_id, public_frames(played(match))[: 90 + 40 * at])
    page = open_page("/live/", ready=".mini[data-step]")
    expect(page.locator(".mini[data-step]")).to_have_count(4)
    expect(page.locator(f"[data-match='{first.public_id}']")).to_have_attribute("data-step", "89")
    shoot(page, "several-boards")
    chosen = open_page(
        f"/live/?match={first.public_id}&match={others[0].public_id}", ready=".mini[data-step]"
    )
    expect(chosen.locator(".mini")).to_have_count(2)


def test_a_board_whose_match_is_over_shows_its_end(open_page: Open, redis: Redis, finished: Match) -> None:
    page = open_page(f"/live/?match={finished.public_id}", ready=".mini.over[data-step]")
    expect(page.locator(".mini-when")).to_have_text("Age 5 · The end")
    expect(page.locator(".mini-text")).to_contain_text("wins the game")
    expect(page.locator(".mini-scores .first")).to_contain_text("Axolotl")


def test_the_home_page_shows_the_best_live_match_as_it_goes(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match()
    claim(match)
    frames = public_frames(played(match))
    show(redis, match.public_id, frames[:100])
    page = open_page("/", ready=".mini[data-step]")
    board = page.locator(f"[data-match='{match.public_id}']")
    expect(board).to_have_attribute("data-step", "99")
    shoot(page, "home-live")
    show(redis, match.public_id, frames[100:110])
    expect(board).to_have_attribute("data-step", "109")


def test_clocks_run_in_a_live_match(open_page: Open, redis: Redis, transactional_db: None) -> None:
    match = new_match(seats=3)
    claim(match)
    frames = public_frames(played(match))
    frames[0]["set"]["clocks"] = [0, 0, 0]
    frames[9]["set"]["clocks"] = [1500, 61_000, 20]
    show(redis, match.public_id, frames[:10])
    page = open_page(f"/matches/{match.public_id}/")
    expect(page.locator("[data-seat='0'] .numbers")).to_contain_text("1.5 s")
    expect(page.locator("[data-seat='1'] .numbers")).to_contain_text("1:01")


def test_an_empty_live_page_picks_up_the_next_matches_by_itself(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    page = open_page("/live/", ready=".boards-none")
    match = new_match()
    claimant = claim(match)
    record = played(match)
    frames = public_frames(record)
    show(redis, match.public_id, frames[:30])
    board = page.locator(f"[data-match='{match.public_id}']")
    expect(board).to_have_attribute("data-step", "29")
    expect(page.locator(".boards-none")).to_be_hidden()
    following = ask_for([make_bot(f"{name}-next") for name in ("maize", "jade", "copal")])
    claim(following, host="other")
    show(redis, following.public_id, public_frames(played(following))[:20])
    expect(page.locator(f"[data-match='{following.public_id}']")).to_have_attribute("data-step", "19")
    show(redis, match.public_id, frames[30:])  # the first board goes on over the new connection
    report(match, claimant, record)
    expect(board).to_have_class("mini over")
    expect(board).to_have_attribute("data-step", str(len(frames) - 1))
    expect(board).to_have_count(0)  # it leaves, as another match is shown
    expect(page.locator(".mini:not(.over)")).to_have_count(1)


def test_a_match_that_is_over_in_a_moment_is_still_seen_to_move(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match()
    claimant = claim(match)
    record = played(match)
    frames = public_frames(record)
    # Every step that the board shows is noted, as an eye would see it.
    script = """window.seen = new Set(); new MutationObserver((changes) => changes.forEach(({ target }) => window.seen.add(target.dataset.step)))
      .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-step"] });"""
    page = open_page("/live/", ready=".mini", script=script)
    show(redis, match.public_id, frames)
    report(match, claimant, record)
    expect(page.locator(".mini.over")).to_have_attribute("data-step", str(len(frames) - 1))
    assert page.evaluate("window.seen.size") > 20


def test_a_viewer_that_the_server_refused_for_a_moment_comes_back(
    open_page: Open, redis: Redis, transactional_db: None
) -> None:
    match = new_match()
    claim(match)
    frames = public_frames(played(match))
    refused = []

    def refuse_once(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=204) if len(refused) == 1 else route.continue_()

    show(redis, match.public_id, frames[:20])
    page = open_page("/live/", ready="h1", routes={"**/live/events*": refuse_once})
    expect(page.locator(".mini")).to_have_attribute("data-step", "19")
    assert len(refused) > 1


def test_nothing_runs_and_the_page_says_so(open_page: Open) -> None:
    page = open_page("/live/", ready="h1")
    expect(page.locator(".empty")).to_contain_text("No match is being played right now.")
