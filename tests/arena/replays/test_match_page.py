"""The page of a match, its downloads, and its pictures."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.listeners import LISTENERS, Happening, Listener
from arena.matches.models import Match, MatchReport
from arena.replays import views
from engine.record import load_record, verify
from tests.arena.cast import ask_for, claim, finish, make_bot

pytestmark = pytest.mark.django_db

HOSTILE = "</script><b onclick=x>&\"'"


@pytest.fixture
def over() -> Match:
    match = ask_for([make_bot(name) for name in ("itzel", "rival", "third", "fourth")])
    finish(match)
    match.refresh_from_db()
    return match


def test_both_downloads_are_the_game_and_verify(client: Client, over: Match) -> None:
    as_json = client.get(f"/matches/{over.public_id}/record.json")
    as_bytes = client.get(f"/matches/{over.public_id}/record.aztr")
    assert load_record(as_json.content) == load_record(as_bytes.content)
    assert verify(load_record(as_bytes.content)).is_over()
    assert f"aztlan-{over.public_id}.json" in as_json["Content-Disposition"]


def test_the_stored_record_of_a_game_for_four_is_below_6_kb(over: Match) -> None:
    assert len(MatchReport.objects.get(match=over).record) < 6_000


def test_a_match_that_is_not_over_has_no_record_to_download(client: Client) -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    claim(match)
    for name in ("record.json", "record.aztr", "picture.svg"):
        assert client.get(f"/matches/{match.public_id}/{name}").status_code == 404


def test_a_queued_match_has_a_page_that_waits_for_it(client: Client) -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    page = client.get(f"/matches/{match.public_id}/")
    assert page.status_code == 200
    assert _data(page.content.decode())["live"] == f"/live/events?match={match.public_id}"


def _data(page: str) -> dict[str, object]:
    text = page.partition('<script id="viewer-page" type="application/json">')[2].partition("</script>")[0]
    data: dict[str, object] = json.loads(text)
    return data


def test_a_hostile_name_stays_a_name_everywhere(client: Client, over: Match) -> None:
    Bot.objects.filter(slug="itzel").update(name=HOSTILE)
    page = client.get(f"/matches/{over.public_id}/").content.decode()
    assert HOSTILE not in page
    assert "<b onclick" not in page
    picture = client.get(f"/matches/{over.public_id}/picture.svg").content.decode()
    assert "<b onclick" not in picture
    assert HOSTILE[:15] in "".join(ElementTree.fromstring(picture).itertext())


def test_a_picture_shows_the_step_that_was_asked_for(client: Client, over: Match) -> None:
    first = client.get(f"/matches/{over.public_id}/picture.svg?step=0").content.decode()
    assert "Age 1 · Choosing · step 0" in first
    last = client.get(f"/matches/{over.public_id}/picture.svg?view=seat1").content.decode()
    assert "The end" in last
    for text in (first, last):
        ElementTree.fromstring(text)


@pytest.mark.parametrize("step", ["", "x", "-1", "9" * 30, "1e9", "٣"])
def test_a_picture_of_a_nonsense_step_is_one_of_the_end(client: Client, over: Match, step: str) -> None:
    answer = client.get(f"/matches/{over.public_id}/picture.svg", {"step": step})
    assert answer.status_code == 200
    assert "The end" in answer.content.decode()


def test_any_site_may_frame_the_embedded_viewer_and_no_other_page(client: Client, over: Match) -> None:
    embedded = client.get(f"/matches/{over.public_id}/embed/")
    assert "X-Frame-Options" not in embedded
    assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    page = client.get(f"/matches/{over.public_id}/")
    assert page["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_a_page_needs_few_queries(client: Client, over: Match, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(8):
        client.get(f"/matches/{over.public_id}/")


def test_a_bot_that_plays_against_itself_has_two_names(client: Client) -> None:
    from arena.replays.selectors import header_of

    version = make_bot("itzel")
    match = ask_for([version, version])
    assert [seat["name"] for seat in header_of(match)["seats"]] == ["Itzel", "Itzel (2)"]


def held_back_but_for_staff(ids: list[int], person: User) -> set[int]:
    return set() if person.is_staff else set(ids)


def test_a_match_that_its_event_holds_back_exists_for_nobody_else(
    client: Client, over: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = Listener("tests.arena.replays.test_match_page.held_back_but_for_staff", over.purpose)
    monkeypatch.setitem(LISTENERS, Happening.RESULTS_HELD_BACK, (guard,))
    names = (
        "",
        "embed/",
        "frames/public",
        "chances",
        "author/0",
        "record.json",
        "record.aztr",
        "picture.svg",
    )
    for name in names:
        assert client.get(f"/matches/{over.public_id}/{name}").status_code == 404, name
    assert over.public_id not in client.get("/").content.decode().partition('id="latest"')[0]
    client.force_login(User.objects.create(username="keeper", is_staff=True))
    assert client.get(f"/matches/{over.public_id}/").status_code == 200
    assert client.get(f"/matches/{over.public_id}/picture.svg").status_code == 404


def test_the_home_page_shows_the_latest_match_and_the_tops_of_the_ladders(
    client: Client, over: Match
) -> None:
    from tests.arena.cast import make_season

    season = make_season(4)
    page = client.get("/").content.decode()
    assert f"/matches/{over.public_id}/picture.svg" in page
    assert season.ladder.name in page
    assert "/how-to-play/" in page


def test_the_home_page_shows_what_runs_first(client: Client, over: Match) -> None:
    running = ask_for([over.seats_taken.all()[0].version, over.seats_taken.all()[1].version])
    claim(running, host="another")
    page = client.get("/").content.decode()
    assert "Live now" in page
    assert f'href="/matches/{running.public_id}/"' in page


def test_the_page_names_each_module_that_the_first_picture_needs_and_no_other() -> None:
    folder = Path(views.__file__).parent / "static" / "replays"
    needed, following = {"start.js"}, ["start.js"]
    while following:
        name = following.pop()
        text = (folder / name).read_text("utf-8")
        found = set(re.findall(r'from "\./(\w+\.js)"', text))
        if name == "start.js":  # what the viewer itself imports later, the first picture does without
            found |= set(re.findall(r'import\("\./(\w+\.js)"\)', text))
        new = found - needed
        needed |= new
        following += new
    assert set(views.MODULES) == needed
