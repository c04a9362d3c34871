"""Several boards on one page: of matches asked for, of an event, of all that runs."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.matches.models import Match
from tests.arena import events
from tests.arena.cast import ask_for, claim, make_bot

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
    assert told(html)["reload"]


def test_results_that_are_held_back_and_drafts_are_not_on_the_boards(client: Client, olin: User) -> None:
    event = events.new_event(olin, 4, release="hidden")
    events.play_open(event)
    assert boards(client.get(f"/live/?event={event.slug}").content.decode()) == []
    events.new_event(olin, 2, state="draft", slug="secret", name="Secret Cup")
    assert "Secret" not in client.get("/live/?event=secret").content.decode()


@pytest.mark.parametrize(
    "query", ["event=%00", "event=", "event=nothere", "match=%00&match=..", "match=nothere"]
)
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
    assert told(html)["events"] == f"/live/events?match={match.public_id}"
