"""What an organiser has not released shows in no list of matches and nowhere in the API."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.accounts.models import User
from arena.matches.models import Match
from arena.tournaments import services
from arena.tournaments.models import Tournament
from tests.arena.people import browser_of, program_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


def placements_seen_by(person: User | None) -> list[int | None]:
    """All placements that a person finds, in the list and in each match."""
    program = program_of(person)
    listed = program.get("/api/v1/matches").json()["results"]
    single = [program.get(f"/api/v1/matches/{match['id']}").json() for match in listed]
    return [seat["placement"] for match in [*listed, *single] for seat in match["bots"]]


def test_lists_and_the_api_hold_back_what_is_not_released(
    make_tournament: Make, play_open: Play, olin: User, mateo: User
) -> None:
    tournament = make_tournament(4, release="hidden")
    play_open(tournament)
    match = Match.objects.filter(state="finished").first()
    assert match is not None
    for person in (None, mateo):
        assert set(placements_seen_by(person)) == {None}
        for path in ("/", "/matches/", "/bots/bot-0/"):
            assert 'class="first"' not in browser_of(person).get(path).content.decode()
    told = program_of(mateo).get(f"/api/v1/matches/{match.public_id}").json()
    assert (told["seed"], told["state"]) == (None, "finished")
    assert program_of(mateo).get(f"/api/v1/matches/{match.public_id}/logs").status_code == 403
    assert 1 in placements_seen_by(olin)
    assert 'class="first"' in browser_of(olin).get("/matches/").content.decode()
    services.release_rounds(tournament.pk, olin, "public", 1)
    assert 1 in placements_seen_by(mateo)


def test_to_hold_back_costs_a_fixed_number_of_queries(make_tournament: Make, play_open: Play) -> None:
    play_open(make_tournament(6, release="hidden"))
    browser = browser_of(None)
    with CaptureQueriesContext(connection) as asked:
        browser.get("/matches/")
    # Matches, seats, the games of events, what each event has released; then where each match leads:
    # its ladder, its event, its round.
    assert len(asked) == 7
