"""One search for everything, and nothing that a person may not know."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from arena.accounts.models import User
from arena.discovery.searching import search
from arena.matches.models import Match
from arena.tournaments.models import Tournament
from tests.arena import events
from tests.arena.cast import ask_for, finish, make_bot, make_season
from tests.arena.people import browser_of

pytestmark = pytest.mark.django_db


def test_everything_is_found_by_the_beginning_of_its_name(client: Client, olin: User) -> None:
    match = ask_for([make_bot("jade-serpent", "jadwiga"), make_bot("copal")])
    season = make_season(2)
    event = events.new_event(olin, 2)
    page = client.get("/search/", {"q": "jad"}).content.decode()
    assert "/bots/jade-serpent/" in page
    assert "/authors/jadwiga/" in page
    assert season.ladder.get_absolute_url() in client.get("/search/", {"q": "ladder"}).content.decode()
    assert event.get_absolute_url() in client.get("/search/", {"q": event.name[:4]}).content.decode()
    assert f"/matches/{match.public_id}/" in client.get("/search/", {"q": match.public_id}).content.decode()
    found = client.get("/api/v1/search", {"q": "jad"}).json()
    assert [one["address"] for one in found["bots"]] == ["jade-serpent"]
    assert [one["address"] for one in found["authors"]] == ["jadwiga"]


@pytest.mark.parametrize("text", ["", "   ", "& | !", "'; drop table", "\\", "x" * 5000, "%", "()", ":*"])
def test_odd_texts_find_nothing_and_break_nothing(client: Client, text: str) -> None:
    assert client.get("/search/", {"q": text}).status_code == 200
    assert client.get("/api/v1/search", {"q": text}).status_code == 200


def test_a_draft_is_found_by_its_organiser_alone(client: Client, itzel: User, olin: User) -> None:
    event = events.new_event(olin, 2)
    Tournament.objects.filter(pk=event.pk).update(state="draft", name="Secret cup")
    for browser in (client, browser_of(itzel)):
        assert "Secret cup" not in browser.get("/search/", {"q": "secret"}).content.decode()
    assert "Secret cup" in browser_of(olin).get("/search/", {"q": "secret"}).content.decode()


def test_the_result_of_a_match_that_is_held_back_is_not_found(client: Client, olin: User) -> None:
    event = events.new_event(olin, 2, release="hidden")
    events.play_out(event)
    match = Match.objects.filter(purpose="tournament").first()
    assert match
    page = client.get("/search/", {"q": match.public_id}).content.decode()
    assert "held back" in page
    assert 'class="first"' not in page
    assert 'class="first"' in browser_of(olin).get("/search/", {"q": match.public_id}).content.decode()


def test_a_person_who_left_is_not_found(client: Client) -> None:
    make_bot("jade", "jadwiga")
    User.objects.filter(username="jadwiga").update(is_active=False)
    assert "found-people" not in client.get("/search/", {"q": "jadw"}).content.decode()


def test_it_takes_a_fixed_number_of_queries(olin: User, django_assert_max_num_queries: Any) -> None:
    for number in range(15):
        make_bot(f"jade-{number}", f"jade-author-{number}")
    match = ask_for([make_bot("a"), make_bot("b")])
    finish(match)
    with django_assert_max_num_queries(7):
        assert len(search("jade", olin).bots) == 10
    with django_assert_max_num_queries(9):
        assert len(search(match.public_id, olin).matches) == 1


@pytest.mark.parametrize(
    ("table", "expression"),
    [
        ("accounts_user", "to_tsvector('simple'::regconfig, coalesce(username, ''))"),
        (
            "tournaments_tournament",
            "to_tsvector('simple'::regconfig, coalesce(name, '') || ' ' || coalesce(slug, ''))",
        ),
    ],
)
def test_names_are_found_by_an_index(table: str, expression: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off")
        cursor.execute(f"explain select 1 from {table} where {expression} @@ to_tsquery('simple', 'a:*')")
        assert any("Index" in line for (line,) in cursor.fetchall())
