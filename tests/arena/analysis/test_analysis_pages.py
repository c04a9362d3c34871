"""The addresses of explanations, variations and continuations, for readers and for attackers."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from redis import Redis

from arena.accounts import limits
from arena.accounts.models import AuditEntry, User
from arena.analysis import services
from arena.analysis.explaining import unpack
from arena.analysis.models import Continuation, Explanation, Variation
from arena.matches.models import Match
from arena.outbox.models import Outbox
from tests.arena.cast import ask_for, finish, make_bot, make_season
from tests.arena.people import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    match = ask_for([make_bot("itzel"), make_bot("rival")], make_season(2))
    finish(match)
    match.refresh_from_db()
    return match


def send(client: Client, path: str, body: Any) -> HttpResponse:
    return client.post(path, json.dumps(body), content_type="application/json")


def address(match: Match, rest: str) -> str:
    return f"/matches/{match.public_id}/{rest}"


def test_the_first_reader_has_a_match_explained_cheaply_and_the_next_gets_better(
    client: Client, match: Match
) -> None:
    for _ in range(2):
        assert client.get(address(match, "explained")).status_code == 202
    owed = Outbox.objects.get(kind="explain")
    assert owed.payload == {"match": match.pk, "worlds": services.CHEAP}
    services.deliver_explanation(owed.payload)
    owed.delete()
    found = client.get(address(match, "explained")).json()
    assert found["words"]["marked"] == "Marked decisions"  # the page of the match comes without these words
    assert (found["worlds"], found["is_final"]) == (services.CHEAP, False)
    better = Outbox.objects.get(kind="explain").payload
    assert better["worlds"] == services.THOROUGH
    services.deliver_explanation({**better, "worlds": 12})
    assert Explanation.objects.get().worlds == 12
    services.deliver_explanation({**better, "worlds": services.CHEAP})
    assert Explanation.objects.get().worlds == 12, "fewer worlds never replace more"


@pytest.mark.django_db(transaction=True)
def test_matches_are_explained_on_the_heavy_queue(client: Client, redis: Redis) -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    finish(match)
    redis.flushdb()
    client.get(address(match, "explained"))
    assert (redis.llen("aztlan:heavy"), redis.llen("aztlan:arena")) == (1, 0)


def test_the_api_tells_the_same(client: Client, match: Match) -> None:
    path = f"/api/v1/matches/{match.public_id}/explained"
    assert client.get(path).status_code == 202
    services.work_out_explanation(match.pk, 4)
    assert client.get(path).json() == unpack(bytes(Explanation.objects.get().packed))


def test_matches_of_events_are_explained_ahead_and_those_of_ladders_wait_for_a_reader(match: Match) -> None:
    other = ask_for([make_bot("a"), make_bot("b")])
    finish(other)
    other.refresh_from_db()
    Outbox.objects.all().delete()
    for _ in range(2):
        services.owe_explanations([match, other])
    assert [one.payload["match"] for one in Outbox.objects.filter(kind="explain")] == [other.pk]


def test_what_is_not_over_or_has_a_secret_seed_cannot_be_analysed(client: Client, match: Match) -> None:
    running = ask_for([make_bot("a"), make_bot("b")])
    paths = ["explained", "champion/3", "analysis/", "variations/"]
    assert {client.get(address(running, path)).status_code for path in paths} == {404}
    Match.objects.filter(pk=running.pk).update(seed_commitment=match.seed_commitment)
    assert {client.get(address(match, path)).status_code for path in paths} == {404}
    tried = send(client, address(match, "analysis/try"), {"step": "0", "actions": []})
    assert tried.status_code == 404


def test_actions_are_tried_named_shared_and_opened_again(client: Client, match: Match) -> None:
    told = send(client, address(match, "analysis/try"), {"step": "20", "actions": []}).json()
    actions = [told["legal"][-1]]
    after = send(client, address(match, "analysis/try"), {"number": told["number"], "actions": actions})
    assert len(after.json()["frames"]) > 1
    body = {"number": told["number"], "actions": actions, "name": "  A <b>bold</b>  try "}
    saved = send(client, address(match, "variations/"), body)
    assert saved.status_code == 201
    found = Variation.objects.get()
    assert (found.name, found.actions, found.author) == ("A <b>bold</b> try", actions, None)
    page = client.get(saved.json()["url"]).content.decode()
    assert "A &lt;b&gt;bold&lt;/b&gt; try" in page
    assert "<b>bold" not in page
    listed = client.get(address(match, "variations/")).json()["variations"]
    assert listed == [{"name": found.name, "url": saved.json()["url"]}]
    assert client.get(address(match, "variations/nothing/")).status_code == 404


def test_a_variation_of_somebody_who_is_signed_in_has_their_name(match: Match) -> None:
    author = User.objects.first()
    assert author
    client = browser_of(author)
    saved = send(client, address(match, "variations/"), {"number": 0, "actions": [], "name": "x"})
    assert f"variation by {author.username}" in client.get(saved.json()["url"]).content.decode()


def test_staff_remove_a_variation_on_record(client: Client, match: Match, citlali: User) -> None:
    send(client, address(match, "variations/"), {"number": 0, "actions": [], "name": "rude"})
    found = Variation.objects.get()
    staff, page = browser_of(citlali), f"/admin/analysis/variation/{found.pk}/delete/"
    assert staff.get(page).status_code == 200
    staff.post(page, {"post": "yes"})
    assert not Variation.objects.exists()
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act) == (citlali, "delete variation")
    assert staff.get("/admin/analysis/variation/add/").status_code == 403


def test_quick_bots_answer_at_once_and_the_result_has_an_address(client: Client, match: Match) -> None:
    body = {"number": 10, "actions": [], "seat": 0, "bots": ["quick", "quick"], "games": 20, "seed": "s"}
    found = send(client, address(match, "continuations/"), body)
    assert found.status_code == 201
    told = found.json()
    assert (told["seed"], told["games"]) == ("s", 20)
    again = send(client, address(match, "continuations/"), body).json()
    assert again["result"] == told["result"], "it can be computed again from the seed"
    assert again["url"] != told["url"]
    assert client.get(told["url"]).status_code == 200
    assert client.get(f"{told['url']}result").json()["result"] == told["result"]
    assert client.get(address(match, "continuations/nothing/")).status_code == 404


def test_bots_that_think_play_on_the_heavy_queue(client: Client, match: Match) -> None:
    body = {"number": 20, "actions": [], "seat": 0, "bots": ["warlord", "random"], "games": 5}
    told = send(client, address(match, "continuations/"), body).json()
    assert told["result"] is None
    assert client.get(f"{told['url']}result").status_code == 202
    owed = Outbox.objects.get(kind="continue")
    services.deliver_continuation(owed.payload)
    result = Continuation.objects.get().result
    services.deliver_continuation(owed.payload)
    assert client.get(f"{told['url']}result").json()["result"] == result


GOOD = {"number": 10, "actions": [], "seat": 0, "bots": ["quick", "quick"], "games": 5}


@pytest.mark.parametrize(
    "bad",
    [
        {"bots": ["quick"]}, {"bots": ["quick", "random"]}, {"bots": ["champion", "quick"]}, {"bots": "quick"},
        {"games": 0}, {"games": 201}, {"games": True}, {"seat": 2}, {"seat": -1}, {"seed": "x" * 33},
        {"seed": "\x00"}, {"number": -1}, {"number": 10**9}, {"number": "1"}, {"actions": [9000]},
        {"actions": [-1]}, {"actions": "x"}, {"actions": [0] * 601}, {"number": None, "step": "x"},
        {"number": None, "step": "1" * 99}, {"number": None, "step": "²"}, {"number": 9999},
    ],
)  # fmt: skip
def test_bad_requests_get_a_sentence_and_store_nothing(
    client: Client, match: Match, bad: dict[str, Any]
) -> None:
    answer = send(client, address(match, "continuations/"), {**GOOD, **bad})
    assert answer.status_code == 400
    assert len(answer.json()["message"]) > 10
    assert not Continuation.objects.exists()


@pytest.mark.parametrize("body", ["", "[]", "nonsense", "[" * 5000, "x" * 20_000])
def test_what_is_no_object_is_refused(client: Client, match: Match, body: str) -> None:
    answer = client.post(address(match, "analysis/try"), body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["message"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x07b", 5, None])
def test_a_variation_needs_a_name_that_can_be_read(client: Client, match: Match, name: Any) -> None:
    answer = send(client, address(match, "variations/"), {"number": 0, "actions": [], "name": name})
    assert answer.status_code == 400
    assert not Variation.objects.exists()


def test_floods_are_limited_by_network(client: Client, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    strict = {**limits.LIMITS, "variation": limits.Limit(2, 60, limits.LIMITS["variation"].reason)}
    monkeypatch.setattr(limits, "LIMITS", strict)
    body = {"number": 0, "actions": [], "name": "x"}
    codes = [send(client, address(match, "variations/"), body).status_code for _ in range(3)]
    assert codes == [201, 201, 429]
    other = Client(REMOTE_ADDR="10.0.0.9")
    assert send(other, address(match, "variations/"), body).status_code == 201


def test_an_author_sees_what_cost_most_in_lost_matches(match: Match) -> None:
    loser = match.seats_taken.select_related("version__bot__owner").get(placement=2)
    bot = loser.version.bot
    client = Client()
    client.force_login(bot.owner)
    assert "still being explained" in client.get(f"/bots/{bot.slug}/decisions/").content.decode()
    assert Outbox.objects.filter(kind="explain", payload__match=match.pk).count() == 1
    services.work_out_explanation(match.pk, 4)
    page = client.get(f"/bots/{bot.slug}/decisions/").content.decode()
    worst = max(
        (
            one
            for one in unpack(bytes(Explanation.objects.get().packed))["decisions"]
            if one["seat"] == loser.seat
        ),
        key=lambda one: one["loss"],
    )
    assert f"aztlan debug {match.public_id} {bot.slug} --step {worst['number'] + 1}" in page
    assert f"/matches/{match.public_id}/#step={worst['at'][0]}" in page
    assert page.count("aztlan debug") == 10


def test_champion_answers_about_a_decision(client: Client, match: Match) -> None:
    told = send(client, address(match, "analysis/try"), {"number": 30, "actions": []}).json()
    assert client.get(address(match, "champion/30")).json()["action"] in told["legal"]
    assert client.get(address(match, "champion/9998")).status_code == 404
