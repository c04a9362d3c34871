"""Times of events: typed and shown in the reader's zone, never in the past, and what happens when they come."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.matches.models import Match
from arena.notices.models import Notice
from arena.tournaments import calendar, entering, services
from arena.tournaments.models import RoundOpening, Tournament
from tests.arena.people import browser_of, program_of
from tests.arena.tournaments.test_pages import FORM

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]
MEXICO = ZoneInfo("America/Mexico_City")


def typed(when: datetime) -> str:
    """As an input of a form sends it: no zone, no seconds."""
    return when.strftime("%Y-%m-%dT%H:%M")


def test_a_closing_time_is_read_in_the_zone_in_which_it_was_typed(olin: User) -> None:
    soon = (timezone.now() + timedelta(hours=1)).replace(second=0, microsecond=0)
    local = {"lock_at": typed(soon.astimezone(MEXICO)), "time_zone": "America/Mexico_City"}
    browser_of(olin).post("/tournaments/new", {**FORM, **local})
    assert Tournament.objects.get().lock_at == soon


def test_without_a_script_a_closing_time_is_in_utc_and_the_form_says_so(olin: User) -> None:
    page = browser_of(olin).get("/tournaments/new").content.decode()
    assert "In the time zone <span data-zone>UTC</span>." in page
    soon = (timezone.now() + timedelta(hours=1)).replace(second=0, microsecond=0)
    browser_of(olin).post("/tournaments/new", {**FORM, "lock_at": typed(soon.astimezone(UTC))})
    assert Tournament.objects.get().lock_at == soon
    page = browser_of(olin).get("/tournaments/spring-cup/edit").content.decode()
    assert f'value="{typed(soon.astimezone(UTC))}"' in page


@pytest.mark.parametrize("zone", ["Nowhere/At_All", "../../etc/passwd", "America", "a\0b", "x" * 5000])
def test_an_unknown_zone_is_refused(olin: User, zone: str) -> None:
    soon = typed(timezone.now() + timedelta(days=2))
    answer = browser_of(olin).post("/tournaments/new", {**FORM, "lock_at": soon, "time_zone": zone})
    assert answer.status_code == 200
    assert not Tournament.objects.exists()


def test_a_closing_time_in_the_past_is_refused_in_the_form_and_in_the_api(olin: User) -> None:
    past = timezone.now() - timedelta(minutes=2)
    page = browser_of(olin).post("/tournaments/new", {**FORM, "lock_at": typed(past.astimezone(UTC))})
    assert "This time has already passed" in page.content.decode()
    answer = program_of(olin).post(
        "/api/v1/tournaments", {"name": "Cup", "format": "swiss", "lock_at": past.isoformat()}
    )
    assert "This time has already passed" in answer.json()["fields"]["lock_at"][0]["message"]
    assert not Tournament.objects.exists()


def test_the_api_takes_a_time_only_with_its_zone(olin: User) -> None:
    body = {"name": "Cup", "format": "swiss", "lock_at": "2090-01-31T18:00"}
    answer = program_of(olin).post("/api/v1/tournaments", body)
    assert "Name the time zone" in answer.json()["fields"]["lock_at"][0]["message"]
    made = program_of(olin).post("/api/v1/tournaments", {**body, "lock_at": "2090-01-31T18:00-06:00"})
    assert made.json()["lock_at"] == "2090-02-01T00:00:00Z"


def test_other_rules_can_be_changed_though_the_closing_time_of_a_draft_has_passed(
    make_tournament: Make, olin: User
) -> None:
    tournament = make_tournament(2, state="draft", lock_at=timezone.now() - timedelta(minutes=1))
    changed = program_of(olin).patch("/api/v1/tournaments/cup", {"best_of": 3})
    assert changed.status_code == 200
    with pytest.raises(RefusedError, match="has passed"):
        services.publish(tournament.pk, olin)
    assert program_of(olin).patch("/api/v1/tournaments/cup", {"lock_at": None}).status_code == 200
    services.publish(tournament.pk, olin)


def test_times_on_pages_name_their_zone(make_tournament: Make, olin: User) -> None:
    when = datetime(2090, 1, 31, 18, 5, tzinfo=UTC)
    make_tournament(2, state="registration", lock_at=when)
    said = (
        '<time datetime="2090-01-31T18:05:00+00:00" data-shows="minute" title="31 Jan 2090, 18:05:00 UTC">'
        "31 Jan 2090, 18:05 UTC</time>"
    )
    for path in ("/tournaments/cup/", "/tournaments/"):
        assert said in Client().get(path).content.decode()


def test_an_automatic_cancellation_says_why_and_can_be_undone(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(1, state="registration")
    entering.invite(tournament.pk, Bot.objects.get(slug="random"), olin)
    Tournament.objects.update(lock_at=timezone.now())
    calendar.keep_time()
    tournament.refresh_from_db()
    assert tournament.state == "cancelled"
    why = "A tournament needs at least two bots with an active version."
    for path in ("/tournaments/cup/", "/tournaments/cup/desk"):
        assert why in browser_of(olin).get(path).content.decode()
    assert why in program_of(None).get("/api/v1/tournaments/cup").json()["cancel_reason"]
    assert why in Notice.objects.get(user=olin).text
    browser_of(olin).post("/tournaments/cup/desk", {"act": "reinstate"})
    calendar.keep_time()
    tournament.refresh_from_db()
    assert (tournament.state, tournament.lock_at, tournament.cancel_reason) == ("registration", None, "")
    states = tournament.entries.order_by("state").values_list("state", flat=True)
    assert list(states) == ["entered", "invited"], "invitations are not lost"


def test_the_name_of_a_cancelled_event_is_free_again(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(2, state="registration")
    again = {**FORM, "name": "Cup"}
    assert (
        "Another tournament has this name"
        in browser_of(olin).post("/tournaments/new", again).content.decode()
    )
    services.cancel(tournament.pk, olin, "too hot")
    assert browser_of(olin).post("/tournaments/new", again).url == "/tournaments/cup-2/desk"
    with pytest.raises(RefusedError, match="has this name now"):
        services.reinstate(tournament.pk, olin)


def test_a_running_event_that_was_cancelled_comes_back_paused_and_goes_on(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(4)
    play_open(tournament)
    played = set(tournament.games.filter(placements__isnull=False).values_list("pk", flat=True))
    services.cancel(tournament.pk, olin, "a fire")
    assert not Match.objects.filter(state="queued").exists(), "nobody plays for an event that is called off"
    services.reinstate(tournament.pk, olin)
    tournament.refresh_from_db()
    assert tournament.state == "paused"
    services.resume(tournament.pk, olin)
    play_out(tournament)
    assert tournament.state == "finished"
    assert played <= set(tournament.games.filter(voided_at=None).values_list("pk", flat=True))


def test_deadlines_stand_still_while_an_event_is_paused(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(2, round_minutes=5)
    services.pause(tournament.pk, olin)
    long_ago = timezone.now() - timedelta(hours=3)
    Tournament.objects.update(paused_at=long_ago)
    RoundOpening.objects.update(deadline=long_ago + timedelta(minutes=4))
    services.resume(tournament.pk, olin)
    calendar.keep_time()
    left = RoundOpening.objects.get().deadline
    assert left is not None
    assert timedelta(minutes=3) < left - timezone.now() < timedelta(minutes=5)
    assert not tournament.games.get().forfeit


def test_a_game_that_is_voided_after_its_rounds_deadline_gets_the_time_of_a_round_again(
    make_tournament: Make, olin: User
) -> None:
    tournament = make_tournament(2, round_minutes=5)
    RoundOpening.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    calendar.keep_time()
    services.void(tournament.pk, tournament.games.get().pk, olin, "the hosts were down")
    calendar.keep_time()
    game = tournament.games.get(voided_at=None)
    assert game.match is not None
    assert not game.forfeit
