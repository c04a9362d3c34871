"""The pages of tournaments, as everybody sees them and as their organiser works with them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.tournaments.models import FORMAT_NAMES, Tournament, TournamentEntry
from contests.formats.fairness import commitment

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]
FORM = {
    "name": "Spring Cup", "description": "", "format": "swiss", "seats": "4", "edition": "english",
    "clock": "blitz", "rounds": "", "advance": "1", "group_size": "4", "from_group": "2", "cycles": "1",
    "best_of": "1", "tie_breaks": "points buchholz seed", "min_games": "0", "per_owner": "1",
    "release": "public", "live_delay": "60",
}  # fmt: skip


def as_person(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_organiser_creates_an_event_and_others_do_not_see_the_draft(olin: User, mateo: User) -> None:
    desk = as_person(olin)
    answer = desk.post("/tournaments/new", FORM, follow=True)
    assert answer.redirect_chain[-1][0] == "/tournaments/spring-cup/desk"
    tournament = Tournament.objects.get()
    assert tournament.tie_breaks == ["points", "buchholz", "seed"]
    assert tournament.ruleset["name"] == "english"
    assert tournament.live_delay == 60
    assert as_person(mateo).get("/tournaments/spring-cup/").status_code == 404
    assert b"Spring Cup" not in as_person(mateo).get("/tournaments/").content
    assert b"Spring Cup" in desk.get("/tournaments/").content
    desk.post("/tournaments/spring-cup/desk", {"act": "publish"})
    assert Client().get("/tournaments/spring-cup/").status_code == 200


def test_what_the_form_offers_is_taken(olin: User) -> None:
    form = as_person(olin).get("/tournaments/new").context["form"]
    offered = {one.name: one.value() for one in form if one.value() is not None and one.value() is not False}
    filled_in = {"name": "Spring Cup", "format": "swiss", "edition": "english"}
    answer = as_person(olin).post("/tournaments/new", {**offered, **filled_in})
    assert answer.status_code == 302, answer.context["form"].errors
    assert Tournament.objects.get().tie_breaks == offered["tie_breaks"].split()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"format": "single_elimination", "advance": "3"}, "divides the seats"),
        ({"tie_breaks": "points luck"}, "Unknown: luck"),
        ({"best_of": "99"}, "1 to 21 games"),
        ({"name": "!!!"}, "letter or a digit"),
        ({"live_delay": "4000"}, "less than or equal to 3600"),
    ],
)
def test_a_form_that_makes_no_sense_says_what_to_change(
    olin: User, wrong: dict[str, str], words: str
) -> None:
    answer = as_person(olin).post("/tournaments/new", {**FORM, **wrong})
    assert words in answer.content.decode()
    assert not Tournament.objects.exists()


def test_only_organisers_create_and_only_an_events_own_works_at_its_desk(
    make_tournament: Make, mateo: User, citlali: User
) -> None:
    make_tournament(2, state="registration")
    assert as_person(mateo).get("/tournaments/new").status_code == 403
    assert as_person(mateo).get("/tournaments/cup/desk").status_code == 403
    assert Client().get("/tournaments/cup/desk").status_code == 302
    assert as_person(citlali).get("/tournaments/cup/desk").status_code == 200


@pytest.mark.parametrize(
    "format_name", ["single_elimination", "double_elimination", "groups", "swiss", "round_robin"]
)
def test_a_finished_event_shows_its_podium_bracket_and_proofs(
    make_tournament: Make, play_out: Play, format_name: str
) -> None:
    tournament = make_tournament(5, format=format_name, group_size=3)
    play_out(tournament)
    page = Client().get("/tournaments/cup/").content.decode()
    assert 'class="podium"' in page
    assert commitment(bytes(tournament.master_seed)) in page
    assert bytes(tournament.master_seed).hex() in page
    assert ('class="bracket"' in page) is (
        format_name in {"single_elimination", "double_elimination", "groups"}
    )
    assert "/matches/" in page


def test_names_of_bots_are_escaped_everywhere(make_tournament: Make, play_out: Play, olin: User) -> None:
    tournament = make_tournament(3, state="registration", format="single_elimination")
    Bot.objects.filter(slug="bot-1").update(name="<script>alert(1)</script>")
    desk = as_person(olin)
    for act in ("lock", "start"):
        desk.post("/tournaments/cup/desk", {"act": act})
    play_out(tournament)
    for page in ("/tournaments/cup/", "/tournaments/cup/desk"):
        assert b"<script>alert" not in desk.get(page).content


def test_the_desk_shows_what_an_act_would_do_before_it_is_done(
    make_tournament: Make, play_open: Play, olin: User
) -> None:
    tournament = make_tournament(4, format="single_elimination")
    play_open(tournament)
    game = tournament.games.filter(round=1).first()
    assert game is not None
    act = {"act": "void", "game": str(game.pk), "reason": "a power cut"}
    desk = as_person(olin)
    shown = desk.post("/tournaments/cup/desk", act).content.decode()
    assert "No pairing changes." in shown
    assert "1 result changes:" in shown
    game.refresh_from_db()
    assert game.voided_at is None
    desk.post("/tournaments/cup/desk", {**act, "confirmed": "1"})
    game.refresh_from_db()
    assert game.voided_at is not None


def test_bad_acts_are_refused_with_a_sentence(make_tournament: Make, olin: User) -> None:
    make_tournament(2)
    desk = as_person(olin)
    for act in (
        {"act": "void", "game": "x"},
        {"act": "dance", "bot": "bot-0"},
        {"act": "enter", "bot": "none"},
    ):
        answer = desk.post("/tournaments/cup/desk", act, follow=True)
        assert answer.status_code == 200
        assert 'class="error"' in answer.content.decode()


def test_an_author_enters_and_withdraws_on_the_page(
    make_tournament: Make, itzel: User, active: object
) -> None:
    tournament = make_tournament(2, state="registration")
    author = as_person(itzel)
    assert b"Jaguar" in author.get("/tournaments/cup/").content
    author.post("/tournaments/cup/entries", {"bot": "jaguar"})
    assert TournamentEntry.objects.filter(tournament=tournament, bot__slug="jaguar").exists()
    author.post("/tournaments/cup/entries", {"bot": "jaguar", "withdraw": "1"})
    assert not TournamentEntry.objects.filter(tournament=tournament, bot__slug="jaguar").exists()


def test_the_desk_forecasts_games_duration_and_the_winner(make_tournament: Make, olin: User) -> None:
    make_tournament(6, state="registration")
    page = as_person(olin).get("/tournaments/cup/desk").content.decode()
    assert "<dt>Games</dt><dd>15</dd>" in page
    assert "Chance that the strongest bot wins" in page
    assert "Other formats" not in page


def test_the_desk_compares_formats_and_says_how_many_games_a_certainty_needs(
    make_tournament: Make, olin: User
) -> None:
    make_tournament(4, state="registration")
    page = as_person(olin).get("/tournaments/cup/desk?formats=1").content.decode()
    for name in FORMAT_NAMES.values():
        assert f'<td class="main">{name}' in page
    for certainty in (80, 90, 95):
        assert f"<dt>{certainty} %</dt>" in page


def test_hidden_results_stay_hidden_in_pages_and_exports(
    make_tournament: Make, play_open: Play, mateo: User
) -> None:
    tournament = make_tournament(4, release="hidden")
    play_open(tournament)
    data = as_person(mateo).get("/tournaments/cup/export.json").json()
    assert data["games"] == []
    assert data["master_seed"] is None
    assert "Game 1" not in as_person(mateo).get("/tournaments/cup/").content.decode()


def test_exports_hold_everything(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(4, format="swiss", rounds=2)
    play_out(tournament)
    data = json.loads(Client().get("/tournaments/cup/export.json").content)
    assert len(data["games"]) == 4
    assert all(game["record"] for game in data["games"])
    rows = list(csv.reader(io.StringIO(Client().get("/tournaments/cup/export.csv").content.decode())))
    assert [row[0] for row in rows] == ["place", "1", "2", "3", "4"]
    report = Client().get("/tournaments/cup/export.trf").content.decode()
    assert report.count("\n001 ") == 4


def test_a_page_asks_a_fixed_number_of_queries(
    make_tournament: Make, play_out: Play, django_assert_max_num_queries: Callable
) -> None:
    tournament = make_tournament(12, format="swiss", rounds=4)
    play_out(tournament)
    with django_assert_max_num_queries(12):
        Client().get("/tournaments/cup/")
