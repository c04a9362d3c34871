"""A page or list asks the database the same number of questions, however many rows it shows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.accounts.models import User
from arena.bots.models import Bot, Version
from arena.matches.models import MatchSeat
from tests.arena.cast import ask_for, finish
from tests.arena.people import browser_of, make_active, pass_validation, playing, submit

pytestmark = pytest.mark.django_db

QUERIES = {
    "/": 8,  # matches and bots, each list with what belongs to it
    "/bots/": 1,
    "/bots/?q=jag": 4,  # the newest few first, then more: a word that every bot has stays cheap
    "/bots/jaguar/": 7,  # the bot, its versions, their numbers, matches, seats, ladders, people
    "/bots/jaguar/versions/1/": 2,
    "/matches/": 2,
    "/matches/?bot=jaguar": 3,
    "/matches/?state=finished&purpose=challenge&seats=2": 2,
    "/authors/itzel/": 4,  # with the teams
    "/api/v1/bots": 1,
    "/api/v1/bots?search=jag": 4,
    "/api/v1/bots?owner=itzel&runtime=python": 1,
    "/api/v1/bots/jaguar": 1,
    "/api/v1/bots/jaguar/versions": 1,
    "/api/v1/bots/jaguar/versions/1": 2,
    "/api/v1/matches": 2,
    "/api/v1/matches?bot=jaguar": 3,
}


def count(path: str) -> int:
    browser = browser_of(None)
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(path).status_code == 200
    return len(asked)


def add_rows(mateo: User, number: int) -> None:
    """Another bot, another version of the jaguar, and matches between them."""
    rival = make_active(mateo, f"rival-{number}")
    jaguar = Bot.objects.get(slug="jaguar")
    version: Version = pass_validation(submit(jaguar, f"print('more {number}')"))
    for _ in range(3):
        finish(ask_for([version, playing(rival)]))


def test_the_number_of_queries_does_not_grow(active: Version, mateo: User) -> None:
    add_rows(mateo, 1)
    few = {path: count(path) for path in QUERIES}
    for number in range(2, 6):
        add_rows(mateo, number)
    many = {path: count(path) for path in QUERIES}
    assert few == many == QUERIES


def test_who_is_signed_in_costs_a_session_a_person_their_teams_and_a_count_of_notices(
    active: Version, mateo: User
) -> None:
    add_rows(mateo, 1)
    browser = browser_of(mateo)
    with CaptureQueriesContext(connection) as asked:
        browser.get("/matches/")
    assert len(asked) == QUERIES["/matches/"] + 4


def test_a_bots_matches_of_a_kind_are_found_however_their_seats_were_written(
    active: Version, mateo: User
) -> None:
    rival = playing(make_active(mateo, "rival"))
    old, new = ask_for([active, rival]), ask_for([active, rival])
    MatchSeat.objects.filter(match=old).update(purpose="")  # as by code from before the column
    page = browser_of(None).get("/matches/?bot=jaguar&purpose=challenge").content.decode()
    assert old.public_id in page
    assert new.public_id in page
    assert set(MatchSeat.objects.filter(match=new).values_list("purpose", flat=True)) == {"challenge"}
    assert old.public_id not in browser_of(None).get("/matches/?bot=jaguar&purpose=ladder").content.decode()
