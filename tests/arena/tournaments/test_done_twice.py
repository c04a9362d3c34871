"""An act that was done already is refused in words, by whichever door it comes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from django.test import Client

from arena.accounts.models import AuditEntry, User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.tournaments import entering, services
from arena.tournaments.models import Tournament
from tests.arena.people import browser_of, program_of
from tests.arena.tournaments.test_pages import FORM

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


def test_entering_a_bot_twice_is_refused_on_the_desk_on_the_page_and_in_the_api(
    make_tournament: Make, olin: User, itzel: User, active: object
) -> None:
    make_tournament(2, state="registration")
    twice = {"act": "enter", "bot": "bot-0"}
    page = browser_of(olin).post("/tournaments/cup/desk", twice, follow=True).content.decode()
    assert "Bot-0 has already entered." in page
    assert "Bot-0 entered." not in page
    assert program_of(olin).post("/api/v1/tournaments/cup/acts", twice).json()["code"] == "entered"
    for words in ("entered.", "has already entered."):
        answer = browser_of(itzel).post("/tournaments/cup/entries", {"bot": "jaguar"}, follow=True)
        assert words in answer.content.decode()
    again = program_of(itzel).post("/api/v1/tournaments/cup/entries", {"bot": "jaguar"})
    assert again.json()["code"] == "entered"


def test_inviting_twice_or_who_is_entered_is_refused(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(2, state="registration")
    bot = Bot.objects.get(slug="random")
    entering.invite(tournament.pk, bot, olin)
    with pytest.raises(RefusedError, match="already invited"):
        entering.invite(tournament.pk, bot, olin)
    with pytest.raises(RefusedError, match="already entered"):
        entering.invite(tournament.pk, Bot.objects.get(slug="bot-0"), olin)
    entering.enter(tournament.pk, bot, olin)
    assert AuditEntry.objects.filter(act="invite to tournament").count() == 1


def test_an_author_does_not_enter_again_what_the_organiser_disqualified(
    make_tournament: Make, olin: User, itzel: User, jaguar: Bot, active: object
) -> None:
    tournament = make_tournament(2, state="registration")
    jaguar.refresh_from_db()
    entering.enter(tournament.pk, jaguar, itzel)
    entering.disqualify(tournament.pk, jaguar, olin, "two hands")
    with pytest.raises(RefusedError, match="was disqualified"):
        entering.enter(tournament.pk, jaguar, itzel)
    services.lock(tournament.pk, olin)
    services.start(tournament.pk, olin)
    assert tournament.games.count() == 1, "it was never there, and nobody walks over it"


def test_releasing_what_is_released_is_refused(make_tournament: Make, play_open: Play, olin: User) -> None:
    tournament = make_tournament(4, release="hidden")
    play_open(tournament)
    services.release_rounds(tournament.pk, olin, "public", 1)
    with pytest.raises(RefusedError, match="already"):
        services.release_rounds(tournament.pk, olin, "public", 1)
    with pytest.raises(RefusedError, match="have been opened"):
        services.release_rounds(tournament.pk, olin, "public", 9)


@pytest.mark.parametrize(
    ("state", "act"),
    [("registration", "publish"), ("locked", "lock"), ("running", "start"), ("running", "resume")],
)
def test_a_step_that_was_taken_is_not_taken_again(
    make_tournament: Make, olin: User, state: str, act: str
) -> None:
    tournament = make_tournament(2, state=state)
    with pytest.raises(RefusedError, match="is not possible now"):
        getattr(services, act)(tournament.pk, olin)


def test_rules_saved_after_another_locked_the_event_are_refused_and_undo_nothing(
    make_tournament: Make, olin: User
) -> None:
    tournament = make_tournament(2, state="registration")
    services.lock(tournament.pk, olin)
    assert browser_of(olin).post("/tournaments/cup/edit", FORM).status_code == 403
    tournament.refresh_from_db()
    assert (tournament.state, tournament.name) == ("locked", "Cup")


def test_the_csv_has_each_column_once_and_counts_in_wins(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(4, format="swiss", rounds=2)
    play_out(tournament)
    rows = list(csv.DictReader(io.StringIO(Client().get("/tournaments/cup/export.csv").content.decode())))
    names = list(rows[0])
    assert len(names) == len(set(names))
    assert [float(row["points"]) for row in rows] == [2.0, 1.0, 1.0, 0.0]
    for row in rows:
        assert int(row["firsts"]) + int(row["seconds"]) == int(row["pods"]) == 2
        assert 0 <= float(row["buchholz"]) <= 4
        assert abs(float(row["head_to_head"])) <= 2
        assert int(row["seed"]) > 0
    assert "thirds" not in names


def test_the_second_of_two_clicks_on_open_the_next_round_opens_no_other(
    make_tournament: Make, play_open: Play, olin: User
) -> None:
    tournament = make_tournament(4, rounds_by_hand=True)
    play_open(tournament)
    services.open_next_round(tournament.pk, olin, 2)
    play_open(tournament)
    with pytest.raises(RefusedError, match="Round 2 is already open"):
        services.open_next_round(tournament.pk, olin, 2)
