"""Several boards on one page: of matches asked for, of an event, of all that runs."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.hosts import reports
from arena.hosts.attempts import Claimant
from arena.hosts.models import Attempt
from arena.matches.models import Match
from tests.arena import events
from tests.arena.cast import KEY, ask_for, claim, make_bot, make_season, report_of

pytestmark = pytest.mark.django_db


def boards(html: str) -> list[str]:
    return re.findall(r'data-match="(\w+)"', html)


def told(html: str) -> dict[str, Any]:
    found = re.search(r'id="boards-page" type="application/json">(.*?)</script>', html)
    assert found
    page: dict[str, Any] = json.loads(found[1])
    return page


def test_an_event_shows_its_latest_boards_running_ones_first(client: Client, olin: User) -> None:
    event = events.new_event(olin, 4)
    first, *others = Match.objects.order_by("pk")
    claim(first)
    html = client.get(f"/live/?event={event.slug}").content.decode()
    assert "Boards of Cup" in html
    assert boards(html) == [first.public_id]  # the others are not played yet
    for number, match in enumerate(others):
        claim(match, host=f"host-{number}")
    assert set(boards(client.get(f"/live/?event={event.slug}").content.decode())) == {
        match.public_id for match in [first, *others]
    }
    assert told(html)["renew"] == f"/live/?event={event.slug}"


def test_results_that_are_held_back_and_drafts_are_not_on_the_boards(client: Client, olin: User) -> None:
    event = events.new_event(olin, 4, release="hidden")
    events.play_open(event)
    assert boards(client.get(f"/live/?event={event.slug}").content.decode()) == []
    events.new_event(olin, 2, state="draft", slug="secret", name="Secret Cup")
    assert "Secret" not in client.get("/live/?event=secret").content.decode()


@pytest.mark.parametrize("query", ["event=", "event=nothere", "match=..&match=%2e", "match=nothere"])
def test_what_is_not_there_has_no_board(client: Client, query: str) -> None:
    answer = client.get(f"/live/?{query}")
    assert answer.status_code == 200
    assert boards(answer.content.decode()) == []


def test_the_home_page_has_the_board_of_a_running_match_and_else_the_end_of_the_latest(
    client: Client,
) -> None:
    assert boards(client.get("/").content.decode()) == []
    match = ask_for([make_bot("eagle"), make_bot("jaguar")])
    claim(match)
    html = client.get("/?now").content.decode()
    assert boards(html) == [match.public_id]
    assert told(html)["renew"] == "/live/"  # where the next board is, once this match is over


def test_only_boards_that_move_are_live_those_of_a_delayed_match_once_its_first_frame_is_due(
    client: Client,
) -> None:
    now, season = ask_for([make_bot("eagle"), make_bot("jaguar")]), make_season(2, live_delay=600)
    delayed = ask_for([make_bot("ocelot"), make_bot("coyote")], season)
    ask_for([make_bot("maize"), make_bot("jade")])  # waits
    for match in (now, delayed):
        claim(match)
    assert boards(client.get("/live/").content.decode()) == [now.public_id]
    Match.objects.filter(pk=delayed.pk).update(started_at=timezone.now() - timedelta(seconds=601))
    assert boards(client.get("/live/").content.decode()) == [delayed.public_id, now.public_id]
    finish_now = report_of(now)
    reports.record_report(Claimant(Attempt.objects.get(match=now).pk, KEY), finish_now)
    assert boards(client.get("/live/").content.decode()) == [delayed.public_id]


def test_an_empty_live_page_asks_for_what_comes_next(client: Client) -> None:
    html = client.get("/live/").content.decode()
    assert boards(html) == []
    assert told(html)["renew"] == "/live/"
    assert "boards.js" in html
