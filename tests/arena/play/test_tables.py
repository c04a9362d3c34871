"""Tables: opening one, sitting down, deciding, and what is refused."""

import json
import random
from typing import Any

import pytest
from django.test import Client
from redis import Redis

from arena.accounts import limits
from arena.accounts.models import User
from arena.hosts import signing
from arena.hosts.models import Attempt
from arena.ladders.models import Result
from arena.matches.models import Match, MatchSeat
from arena.play import selectors
from arena.play.channels import table_channel
from arena.play.models import Table
from arena.play.table_feeds import TableFeed, read_table
from tests.arena.cast import HOST_STATE, KEY, make_bot

PATIENCE = 30.0
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def house(redis: Any) -> None:
    for name in ("greedy", "settler"):
        make_bot(f"house-{name}", owner="house", is_house=True)


@pytest.fixture
def guest() -> Client:
    return Client()


def open_table(client: Client, *opponents: str, **more: Any) -> Table:
    chosen = dict(zip(("first", "second", "third"), opponents or ("house-greedy",), strict=False))
    form = {**chosen, "edition": "english", "pace": 120, "on_leaving": "bot", **more}
    answer = client.post("/play/", form)
    assert answer.status_code == 302, answer.content.decode()
    return Table.objects.get(public_id=answer.headers["Location"].split("/")[2])


def decide(client: Client, table: Table, data: Any) -> Any:
    body = data if isinstance(data, str) else json.dumps(data)
    return client.post(f"/play/{table.public_id}/decide", body, content_type="application/json")


class HostOfTables:
    """A match host's side of a table."""

    def __init__(self, name: str = "host") -> None:
        from django.conf import settings

        from arena.hosts import services as hosts

        hosts.beat(name, HOST_STATE)
        self.name = name
        self.client = Client(headers={"Authorization": f"Bearer {settings.HOST_KEY}"})

    def headers(self, attempt: Attempt) -> dict[str, str]:
        return {"X-Attempt-Token": signing.sign_attempt(attempt.pk), "X-Attempt-Key": KEY}

    def post(self, path: str, data: Any, attempt: Attempt | None = None) -> Any:
        headers = self.headers(attempt) if attempt else {}
        return self.client.post(
            f"/host/v1/tables/{path}", json.dumps(data), content_type="application/json", headers=headers
        )

    def claim(self, table: Table) -> tuple[Attempt, Any]:
        table.refresh_from_db()
        attempt = Attempt.objects.get(match=table.match, state=Attempt.State.QUEUED)
        return attempt, self.post(f"{attempt.pk}/claim", {"host": self.name}, attempt).json()

    def beat(self, *attempts: Attempt, key: str = KEY) -> Any:
        tables = [{"attempt": one.pk, "token": signing.sign_attempt(one.pk), "key": key} for one in attempts]
        return self.post("beat", {"host": self.name, "room": 5, "tables": tables}).json()

    def play(self, attempt: Attempt, step: int, actions: list[int], **more: Any) -> Any:
        data = {"step": step, "actions": actions, "stood_in": [], "resigned": [], **more}
        return self.post(f"{attempt.pk}/actions", data, attempt)


def test_a_guest_opens_a_table_and_its_match_waits_for_a_host_of_tables(guest: Client) -> None:
    table = open_table(guest)
    assert table.match
    assert table.match.purpose == Match.Purpose.PLAY
    assert not table.match.rated
    assert list(MatchSeat.objects.filter(match=table.match).values_list("person", flat=True)) == ["Guest", ""]
    attempt = Attempt.objects.get(match=table.match)
    assert attempt.sent_at is None  # no wake-up for ordinary slots
    assert [one[0] for one in HostOfTables().beat()["waiting"]] == [attempt.pk]
    assert guest.get(f"/play/{table.public_id}/").status_code == 200


def test_a_host_is_told_who_sits_there_and_what_was_played(guest: Client) -> None:
    table, host = open_table(guest), HostOfTables()
    attempt, told = host.claim(table)
    assert told["assignment"]["match"]["names"] == ["Guest", "house-greedy 1"]
    assert told["actions"] == []
    assert [person["seat"] for person in told["people"]] == [0]
    assert host.play(attempt, 0, [4, 5]).status_code == 200
    assert host.play(attempt, 0, [4, 5]).status_code == 200  # its first answer was lost
    assert host.play(attempt, 7, [64]).status_code == 409
    table.refresh_from_db()
    assert table.actions == [4, 5]


def test_a_decision_reaches_the_host_and_the_next_one(guest: Client) -> None:
    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    assert decide(guest, table, {"number": 0, "action": 7}).status_code == 200
    assert decide(guest, table, {"number": 0, "action": 7}).status_code == 200  # a second click
    again = decide(guest, table, {"number": 0, "action": 8})
    assert (again.status_code, again.json()["message"]) == (
        409,
        "You have already decided. Wait for the others.",
    )
    assert host.beat(attempt)["answers"] == [[attempt.pk, 0, 0, 7]]
    Attempt.objects.filter(pk=attempt.pk).update(lease_until="2020-01-01T00:00:00Z")
    from arena.hosts.attempts import reap

    assert reap() == 1
    other = HostOfTables("other")
    assert host.beat(attempt)["lost"] == [attempt.pk]
    _, told = other.claim(table)
    assert told["people"][0]["answer"] == [0, 7]


def test_what_is_not_possible_is_refused_with_the_reason_and_loses_nothing(guest: Client) -> None:
    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    for action in (3, 0, 64, 1024, 32_000):
        answer = decide(guest, table, {"number": 0, "action": action})
        assert answer.status_code == 409
        assert "Choose again." in answer.json()["message"]
    late = decide(guest, table, {"number": 1, "action": 5})
    assert (late.status_code, "moved on" in late.json()["message"]) == (409, True)
    host.play(attempt, 0, [4, 5])
    game = selectors.read_game(Table.objects.select_related("match").get(pk=table.pk))
    if not game.legal_actions(0):
        host.play(attempt, 2, [game.legal_actions(1)[0], 0])
    stale = decide(guest, table, {"number": 0, "action": 5})
    assert stale.status_code == 409
    assert decide(guest, table, {"number": 1, "action": 64}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "null",
        "7",
        "{}",
        '{"number": 0}',
        '{"number": "0", "action": 4}',
        "[" * 900,
        '{"number": true, "action": 4}',
        '{"number": 0, "action": 1e3}',
        '{"number": -1, "action": 99999999}',
        "x" * 5000,
        "�".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
def test_nonsense_is_answered_with_one_sentence(guest: Client, body: str) -> None:
    answer = decide(guest, open_table(guest), body)
    assert answer.status_code == 400
    assert answer.json()["message"].endswith("whole numbers.")


def test_a_seat_is_only_its_own_browsers(guest: Client) -> None:
    table, mine = open_table(guest), open_table(Client())
    cookie = guest.cookies[f"seat-{table.public_id}"].value
    for stolen in ("", "x" * 43, cookie[:-1] + ("A" if cookie[-1] != "A" else "B"), cookie):
        stranger = Client()
        at = mine if stolen == cookie else table  # a token of another table
        stranger.cookies[f"seat-{at.public_id}"] = stolen
        assert decide(stranger, at, {"number": 0, "action": 4}).status_code == 403
        assert stranger.post(f"/play/{at.public_id}/leave").status_code == 403
        assert stranger.post(f"/play/{at.public_id}/rematch").status_code == 403
        assert stranger.get(f"/play/{at.public_id}/events").status_code == 403
        assert stranger.get(f"/play/{at.public_id}/").status_code == 302  # to the match, which all may watch
    assert cookie not in str(list(table.table_seats.values()))


def test_friends_sit_down_by_a_link_and_only_by_a_click(guest: Client, itzel: User) -> None:
    table = open_table(guest, "friend", "house-settler")
    assert table.match is None
    page = guest.get(f"/play/{table.public_id}/").content.decode()
    link = page.split('class="invitation-link" href="http://testserver')[1].split('"')[0]
    friend = Client()
    friend.force_login(itzel)
    assert friend.get(link).status_code == 200
    assert Table.objects.get(pk=table.pk).match is None
    assert friend.get(link[:-3] + "x/").status_code == 404
    assert friend.post(link).status_code == 302
    table.refresh_from_db()
    assert table.match
    people = MatchSeat.objects.filter(match=table.match).order_by("seat").values_list("person", flat=True)
    assert list(people) == ["Guest", "itzel", ""]
    late = Client().post(link)
    assert (late.status_code, "taken" in late.content.decode()) == (409, True)
    assert friend.get(link).status_code == 302  # to the own seat


def test_whoever_left_cannot_decide_any_more(guest: Client) -> None:
    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    assert guest.post(f"/play/{table.public_id}/leave").status_code == 200
    assert host.beat(attempt)["answers"] == [[attempt.pk, 0, 0, -1]]
    assert decide(guest, table, {"number": 0, "action": 4}).status_code == 409
    host.play(attempt, 0, [4, 5], resigned=[[0, 0]])
    assert host.beat(attempt)["answers"] == []
    assert table.table_seats.get(seat=0).resigned_at == 0


def test_leaving_a_table_that_keeps_no_seats_is_resigning(guest: Client) -> None:
    table, host = open_table(guest, on_leaving="resign"), HostOfTables()
    attempt, _ = host.claim(table)
    assert guest.post(f"/play/{table.public_id}/leave?how=leave").status_code == 200
    assert host.beat(attempt)["answers"] == [[attempt.pk, 0, 0, -1]]
    assert json.loads(new_feed(table).about)["seats"][0]["state"] == "resigned"
    host.play(attempt, 0, [4, 5], resigned=[[0, 0]])
    assert json.loads(new_feed(table).about)["seats"][0]["state"] == "resigned"


def test_floods_are_limited_by_network_and_guesses_count(
    guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        limits,
        "LIMITS",
        limits.LIMITS | {name: limits.Limit(3, 60, "Too many.") for name in ("decide", "seat-stream")},
    )
    table = open_table(guest)
    stranger = Client()
    assert decide(guest, table, "{}").status_code == 400
    assert decide(stranger, table, {"number": 0, "action": 4}).status_code == 403
    assert stranger.post(f"/play/{table.public_id}/leave").status_code == 403
    for one in (guest, stranger):
        refused = decide(one, table, {"number": 0, "action": 4})
        assert (refused.status_code, "Too many. Try again in" in refused.json()["message"]) == (429, True)
    assert guest.post(f"/play/{table.public_id}/leave").status_code == 429
    streams = [stranger.get(f"/play/{table.public_id}/events").status_code for _ in range(4)]
    assert streams == [403, 403, 403, 429]
    elsewhere = Client(REMOTE_ADDR="10.0.0.9")
    elsewhere.cookies = guest.cookies
    assert decide(elsewhere, table, {"number": 0, "action": 4}).status_code == 200


def test_tables_are_limited_per_address(guest: Client) -> None:
    for _ in range(10):
        open_table(Client())
    refused = Client().post(
        "/play/", {"first": "house-greedy", "edition": "english", "pace": 120, "on_leaving": "bot"}
    )
    assert (refused.status_code, "10 open tables" in refused.content.decode()) == (200, True)


def test_another_hosts_key_and_another_attempt_are_refused(guest: Client) -> None:
    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    assert host.beat(attempt, key="x" * 40)["lost"] == [attempt.pk]
    headers = host.headers(attempt) | {"X-Attempt-Key": "x" * 40}
    data = json.dumps({"step": 0, "actions": [4, 5], "stood_in": [], "resigned": []})
    path = f"/host/v1/tables/{attempt.pk}/actions"
    assert host.client.post(path, data, content_type="application/json", headers=headers).status_code == 409
    assert Table.objects.get(pk=table.pk).actions == []


def test_a_match_of_people_is_never_rated(guest: Client) -> None:
    from arena.hosts import reports
    from arena.hosts.attempts import Claimant
    from tests.arena.cast import report_of

    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    table.refresh_from_db()
    assert table.match
    assert guest.get(f"/matches/{table.match.public_id}/frames/open").status_code == 404
    reports.record_report(Claimant(attempt.pk, KEY), report_of(table.match))
    assert Result.objects.count() == 0
    page = Client().get(f"/matches/{table.match.public_id}/").content.decode()
    assert "Guest" in page
    again = guest.post(f"/play/{table.public_id}/rematch")
    assert again.status_code == 302
    assert Table.objects.get(pk=table.pk).rematch


def test_a_feed_follows_its_table_in_the_event_loop_without_a_query(
    guest: Client, django_assert_num_queries: Any
) -> None:
    """A query there is refused by Django in production, and the browser tests allow it."""
    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    host.play(attempt, 0, [4, 5])
    assert guest.post(f"/play/{table.public_id}/leave").status_code == 200
    found = read_table(table.public_id)
    assert found
    feed = TableFeed(table.public_id, *found)
    with django_assert_num_queries(0):
        feed.take_in(*found)
        feed.header(0)
        feed.turn(0)
    assert feed.game
    assert feed.game.step == 2


def test_what_is_told_about_a_table_is_what_the_database_says(
    guest: Client, redis: Redis, django_assert_num_queries: Any
) -> None:
    """A feed that only hears shows its people, at every step, the same as one that reads."""
    table, host, chance = open_table(guest), HostOfTables(), random.Random(7)
    attempt, _ = host.claim(table)
    hearing = new_feed(table)
    with redis.pubsub() as news:
        news.subscribe(table_channel(table.public_id))
        assert not hearing.hear(news.get_message(timeout=PATIENCE))  # that somebody listens says nothing

        def compare() -> None:
            with django_assert_num_queries(0):
                assert hearing.hear(news.get_message(timeout=PATIENCE))
            reading = new_feed(table)
            assert hearing.game
            assert reading.game
            assert shown(hearing) == shown(reading)

        while hearing.game and not hearing.game.state.is_over():
            step, seats = hearing.game.step, hearing.game.state.acting()
            actions = [chance.choice(hearing.game.legal_actions(seat)) for seat in seats]
            if 0 in seats:
                decision = {"number": hearing.game.decided[0], "action": actions[seats.index(0)]}
                assert decide(guest, table, decision).status_code == 200
                compare()
                assert hearing.turn(0)["answer"] == decision["action"]
            assert host.play(attempt, step, actions).status_code == 200
            compare()


def test_what_does_not_follow_on_is_read_from_the_database(guest: Client) -> None:
    table, host = open_table(guest), HostOfTables()
    attempt, _ = host.claim(table)
    host.play(attempt, 0, [4, 5])
    feed = new_feed(table)

    def hears(data: Any) -> bool:
        return feed.hear({"type": "message", "data": json.dumps(data).encode() if data else b""})

    assert not feed.hear(None)
    assert not hears(None)
    assert hears({"step": 0, "actions": [4, 5]})  # it has read that already
    assert not hears({"step": 0, "actions": [5, 4]})
    assert not hears({"step": 3, "actions": [64]})  # one is missing
    assert feed.game
    assert feed.game.step == 2
    assert hears({"seat": 0, "answer_step": 2, "answer": 64})
    assert not hears({"seat": 0, "answer_step": 0, "answer": 4})
    assert feed.seats[0].answer_step == 2
    assert hears({"seat": 0, "answer_step": 2, "answer": -1})
    assert json.loads(feed.about)["seats"][0]["state"] == "resigned"
    assert not hears({"seat": 0, "answer_step": 2, "answer": 64})  # it was sent before, and came late


def new_feed(table: Table) -> TableFeed:
    """A feed that has just read the database."""
    found = read_table(table.public_id)
    assert found
    feed = TableFeed(table.public_id, *found)
    feed.take_in(*found)
    return feed


def shown(feed: TableFeed) -> Any:
    """All that a feed shows the person of the first seat."""
    return feed.header(0), feed.about, feed.turn(0), feed.game and feed.game.frames[0]
