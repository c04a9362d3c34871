"""People's results at tables, and the challenge of the day."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.leaving import delete_account, export_account
from arena.accounts.models import User
from arena.bots.models import Bot
from arena.matches.models import Match, MatchSeat
from arena.matches.visibility import may_see
from arena.play import daily_challenge
from arena.play.models import DailyChallenge, PersonAgainstBot, PersonTotal, Table
from arena.play.services import tell_over
from tests.arena.cast import make_bot
from tests.arena.people import browser_of
from tests.arena.play.test_tables import house as house
from tests.arena.play.test_tables import open_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("house")]


def end(table: Table, *places: int) -> Match:
    """Let a table's match be over with these placements."""
    match = Match.objects.get(table=table)
    for seat, place in enumerate(places):
        MatchSeat.objects.filter(match=match, seat=seat).update(placement=place, score=50 - 10 * place)
    match.state, match.finished_at = Match.State.FINISHED, timezone.now()
    match.save()
    tell_over([match])
    return match


def totals(user: User) -> list[tuple[int, int]]:
    return list(PersonTotal.objects.filter(user=user).values_list("games", "wins"))


def against(user: User) -> dict[str, tuple[int, int]]:
    rows = PersonAgainstBot.objects.filter(user=user).values_list("bot__slug", "games", "wins")
    return {slug: (games, wins) for slug, games, wins in rows}


def test_games_and_wins_are_counted_once_by_person_and_by_bot(itzel: User) -> None:
    client = browser_of(itzel)
    won = open_table(client, "house-greedy", "house-settler")
    match = end(won, 1, 3, 2)
    tell_over([match])  # it may be told twice
    end(open_table(client, "house-greedy", "house-settler"), 2, 3, 1)
    assert totals(itzel) == [(2, 1)]
    assert against(itzel) == {"house-greedy": (2, 2), "house-settler": (2, 1)}
    page = Client().get("/play/people/").content.decode()
    assert "itzel" in page
    assert "Against people" in Client().get("/bots/house-greedy/").content.decode()
    assert "Against bots" in Client().get("/authors/itzel/").content.decode()


def test_a_voided_result_is_taken_back(itzel: User) -> None:
    match = end(open_table(browser_of(itzel)), 1, 2)
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOIDED)
    match.refresh_from_db()
    tell_over([match])
    tell_over([match])
    assert totals(itzel) == [(0, 0)]
    assert "itzel" not in Client().get("/play/people/").content.decode()


def test_guests_first_games_and_games_with_hints_are_not_counted(itzel: User) -> None:
    end(open_table(Client()), 1, 2)
    client = browser_of(itzel)
    client.post("/play/first-game/")
    end(Table.objects.get(is_guided=True), 1, 2)
    hinted = open_table(client, has_hints="on")
    hinted.table_seats.filter(seat=0).update(hints_taken=1)
    end(hinted, 1, 2)
    assert PersonTotal.objects.count() == 0
    assert "Nobody with an account" in Client().get("/play/people/").content.decode()


def test_whoever_left_the_seat_to_a_bot_has_not_won(itzel: User) -> None:
    table = open_table(browser_of(itzel))
    table.table_seats.filter(seat=0).update(has_left=True)
    end(table, 1, 2)
    assert totals(itzel) == [(1, 0)]
    assert against(itzel) == {"house-greedy": (1, 0)}


def test_people_are_listed_page_by_page_and_nobody_twice() -> None:
    for number in range(120):
        user = User.objects.create_user(f"person-{number:03}", f"{number}@example.org", "x")
        PersonTotal.objects.create(user=user, games=9, wins=number % 5)
    seen: list[str] = []
    address = "/play/people/"
    while address:
        answer = Client().get(address)
        page = answer.context["page"]
        seen += [row.user.username for row in page.rows]
        address = f"/play/people/{page.next}" if page.next else ""
    assert len(seen) == len(set(seen)) == 120
    for nonsense in ("x", "1-", "-1", "1-2-3", "9" * 30 + "-1"):
        assert len(Client().get("/play/people/", {"after": nonsense}).context["page"].rows) == 50


def test_whoever_leaves_takes_their_results_along_and_may_have_them_first(itzel: User) -> None:
    end(open_table(browser_of(itzel)), 1, 2)
    assert export_account(itzel)["results_at_tables"] == [{"games": 1, "wins": 1}]
    delete_account(itzel)
    assert PersonTotal.objects.count() == PersonAgainstBot.objects.count() == 0


def take(client: Client) -> Any:
    return client.post("/play/challenge/")


def test_everybody_plays_the_same_deal_once(itzel: User, mateo: User) -> None:
    assert take(Client()).status_code == 200  # a guest is asked to sign in
    assert Table.objects.count() == 0
    for person in (itzel, mateo):
        assert take(browser_of(person)).status_code == 302
        assert take(browser_of(person)).status_code == 409
    one, other = Table.objects.select_related("match").order_by("pk")
    assert one.match is not None
    assert other.match is not None
    assert bytes(one.match.seed) == bytes(other.match.seed)
    assert (one.edition, one.has_hints) == (other.edition, False)
    assert [seat.is_person for seat in one.table_seats.order_by("seat")] == [True, False]


def test_its_course_is_held_back_from_whoever_has_still_to_play_it(itzel: User, mateo: User) -> None:
    for person in (itzel, mateo):
        take(browser_of(person))
    match = end(Table.objects.order_by("pk")[0], 1, 2)
    assert may_see(match, itzel)
    assert not may_see(match, mateo)
    end(Table.objects.order_by("pk")[1], 2, 1)
    assert may_see(match, mateo)
    page = Client().get("/play/challenge/").content.decode()
    assert "itzel" in page
    assert "mateo" not in page
    DailyChallenge.objects.update(day=timezone.now().date() - timedelta(days=1))
    yesterday = DailyChallenge.objects.get().day.isoformat()
    assert "itzel" in Client().get(f"/play/challenge/{yesterday}/").content.decode()
    for day in ("nothing", "2020-01-01", timezone.now().date().isoformat()):
        assert Client().get(f"/play/challenge/{day}/").status_code == 404


def test_house_bots_on_weekdays_and_an_authors_bot_at_weekends() -> None:
    monday = date(2026, 11, 16)
    week = [daily_challenge.version_of(monday + timedelta(days=n)).bot.slug for n in range(7)]
    assert week[1:3] == ["house-greedy", "house-settler"]
    assert all(slug.startswith("house-") for slug in week)  # nobody else can play yet
    make_bot("jaguar")
    weekend = [daily_challenge.version_of(monday + timedelta(days=n)).bot.slug for n in (5, 6)]
    assert weekend == ["jaguar", "jaguar"]


def test_without_a_bot_the_page_says_so() -> None:
    Bot.objects.update(active_version=None)
    assert "being checked" in Client().get("/play/challenge/").content.decode()
