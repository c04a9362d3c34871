"""Hints at tables: for those who may ask, while they may."""

from typing import Any

import pytest
from django.test import Client

from arena.play.models import Table
from tests.arena.play.test_tables import HostOfTables, decide, open_table
from tests.arena.play.test_tables import house as house

pytestmark = pytest.mark.django_db(transaction=True)


def ask(client: Client, table: Table, body: Any) -> Any:
    return client.post(f"/play/{table.public_id}/hint", body, content_type="application/json")


@pytest.fixture
def guest() -> Client:
    return Client()


def test_a_guest_who_plays_a_bot_gets_one(guest: Client) -> None:
    table, host = open_table(guest, has_hints="on"), HostOfTables()
    host.claim(table)
    answer = ask(guest, table, {"number": 0})
    assert answer.status_code == 200, answer.content
    hint = answer.json()
    assert hint["action"] in range(4, 10)
    assert set(hint) == {"number", "action", "chance", "before", "second", "second_chance", "games"}
    assert table.table_seats.get(seat=0).hints_taken == 1
    assert decide(guest, table, {"number": 0, "action": hint["action"]}).status_code == 200


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"number": "0"}', '{"number": -1}', "x" * 5000])
def test_nonsense_is_answered_with_one_sentence(guest: Client, body: str) -> None:
    answer = ask(guest, open_table(guest, has_hints="on"), body)
    assert (answer.status_code, answer.json()["message"][:4]) == (400, "Send")


def test_nobody_else_gets_one_nor_does_anybody_for_another_decision(guest: Client) -> None:
    table, host = open_table(guest, has_hints="on"), HostOfTables()
    host.claim(table)
    assert ask(Client(), table, {"number": 0}).status_code == 403
    assert ask(guest, table, {"number": 1}).status_code == 409


def test_none_where_the_table_was_opened_without_or_where_two_people_play(guest: Client) -> None:
    assert ask(guest, open_table(guest), {"number": 0}).status_code == 409
    with_friend = open_table(guest, "friend", "house-settler", has_hints="on")
    assert not with_friend.has_hints
    assert ask(guest, with_friend, {"number": 0}).status_code == 409


def test_the_first_game_has_hints_and_a_coach(guest: Client) -> None:
    assert guest.get("/play/first-game/").status_code == 200
    answer = guest.post("/play/first-game/")
    table = Table.objects.get(public_id=answer.headers["Location"].split("/")[2])
    assert (table.has_hints, table.is_guided, table.table_seats.count()) == (True, True, 2)
    assert "Welcome to the valley" in guest.get(table.get_absolute_url()).content.decode()


def test_a_bot_that_was_replaced_is_said_to_be_and_its_seat_stays_with_the_house_bot(guest: Client) -> None:
    from arena.hosts.attempts import reap
    from arena.hosts.models import Attempt
    from arena.play import selectors

    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    host.play(attempt, 0, [4, 5])
    assert host.play(attempt, 2, [], stood_in=[1]).status_code == 200
    table.refresh_from_db()
    assert table.actions == [4, 5]
    states = [seat["state"] for seat in selectors.describe_table(table, selectors.seats_at(table))["seats"]]
    assert states == ["here", "replaced"]
    Attempt.objects.filter(pk=attempt.pk).update(lease_until="2020-01-01T00:00:00Z")
    assert reap() == 1
    _, told = HostOfTables("other").claim(table)
    assert told["assignment"]["bots"][1] == told["stand_in"]
    assert told["stand_in"]["name"] == "house-settler"
