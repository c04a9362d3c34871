"""Chances to win: a number for each phase, worked out once, in the background."""

import random

import pytest
from django.test import Client
from redis import Redis

from arena.accounts import limits
from arena.matches.models import Match
from arena.outbox.models import Outbox
from arena.replays import services
from arena.replays.chances import chances
from arena.replays.models import WinChances
from engine.record import Record, Recorder
from engine.state import State
from tests.arena.cast import ask_for, finish, make_bot, make_season


def random_record(seats: int) -> Record:
    recorder = Recorder(State.new(seats, bytes(32)), tuple("abcd"[:seats]))
    chance = random.Random(seats)
    while not recorder.state.is_over():
        recorder.apply(chance.choice(recorder.state.legal_actions()))
    return recorder.record()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_shares_of_each_moment_add_up_and_the_end_is_certain(seats: int) -> None:
    moments = chances(random_record(seats), playouts=20)
    assert all(sum(moment.shares) == pytest.approx(1) for moment in moments)
    assert sorted(moments[-1].shares) == [0.0] * (seats - 1) + [1.0]
    steps = [moment.step for moment in moments]
    assert steps[0] == 0
    assert steps == sorted(set(steps))
    assert len(moments) >= 5 * 2  # at least choosing and development of each age


def test_the_same_record_has_the_same_chances() -> None:
    record = random_record(3)
    assert chances(record, 10) == chances(record, 10)


@pytest.mark.django_db
def test_the_first_reader_has_the_chances_worked_out(client: Client) -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    finish(match)
    for _ in range(2):
        assert client.get(f"/matches/{match.public_id}/chances").status_code == 202
    owed = Outbox.objects.get(kind="chances")
    services.deliver_chances(owed.payload)
    services.deliver_chances(owed.payload)
    found = client.get(f"/matches/{match.public_id}/chances").json()
    assert found["playouts"] == services.PLAYOUTS
    assert WinChances.objects.count() == 1
    assert len(found["moments"][0][1]) == 2


@pytest.mark.django_db
def test_ladder_matches_wait_for_a_reader_and_events_do_not() -> None:
    versions, season = [make_bot("itzel"), make_bot("rival")], make_season(2)
    ladder, challenge = ask_for(versions, season), ask_for(versions)
    for match in (ladder, challenge):
        finish(match)
        match.refresh_from_db()
        services.owe_chances_of_events([match])
        services.owe_chances_of_events([match])
    assert [one.payload for one in Outbox.objects.filter(kind="chances")] == [{"match": challenge.pk}]


@pytest.mark.django_db
def test_a_match_that_is_not_over_has_no_chances() -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    services.work_out_chances(match.pk)
    services.owe_chances_of_events([match])
    assert not Outbox.objects.filter(kind="chances").exists()
    assert not WinChances.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_chances_are_worked_out_on_the_heavy_queue(client: Client, redis: Redis) -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    finish(match)
    redis.flushdb()
    client.get(f"/matches/{match.public_id}/chances")
    assert (redis.llen("aztlan:heavy"), redis.llen("aztlan:arena")) == (1, 0)


def finished(count: int) -> list[Match]:
    versions, season = [make_bot("itzel"), make_bot("rival")], make_season(2)
    matches = [ask_for(versions, season) for _ in range(count)]
    for match in matches:
        finish(match)
    return matches


@pytest.mark.django_db
def test_however_many_chances_are_asked_for_few_wait_to_be_worked_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_OWED", 3)
    matches = finished(5)
    answers = [client.get(f"/matches/{match.public_id}/chances") for match in matches]
    assert {answer.status_code for answer in answers} == {202}
    assert [int(answer["Retry-After"]) for answer in answers] == [1, 1, 1, 10, 10]
    assert Outbox.objects.filter(kind="chances").count() == 3
    Outbox.objects.filter(kind="chances").delete()
    assert client.get(f"/matches/{matches[4].public_id}/chances")["Retry-After"] == "1"


@pytest.mark.django_db
def test_one_reader_has_only_so_many_chances_worked_out_and_others_are_not_held_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = {**limits.LIMITS, "chances": limits.Limit(2, 60, limits.LIMITS["chances"].reason)}
    monkeypatch.setattr(limits, "LIMITS", strict)
    first, *_, last = matches = finished(3)
    answers = [client.get(f"/matches/{match.public_id}/chances").status_code for match in matches]
    assert answers == [202, 202, 429]
    assert client.get(f"/matches/{first.public_id}/chances").status_code == 202, "to look again costs nothing"
    other = Client(REMOTE_ADDR="10.0.0.9")
    assert other.get(f"/matches/{last.public_id}/chances").status_code == 202
