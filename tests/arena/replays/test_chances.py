"""Chances to win: a number for each phase, worked out once, in the background."""

import random

import pytest
from django.test import Client

from arena.matches.models import Outbox
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
        services.owe_chances_of_events(match)
        services.owe_chances_of_events(match)
    assert [one.payload for one in Outbox.objects.filter(kind="chances")] == [{"match": challenge.pk}]


@pytest.mark.django_db
def test_a_match_that_is_not_over_has_no_chances() -> None:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    services.work_out_chances(match.pk)
    services.owe_chances(match.pk)
    assert not Outbox.objects.filter(kind="chances").exists()
    assert not WinChances.objects.exists()
