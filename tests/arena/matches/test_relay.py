"""What is committed gets sent, though nobody nudged, the queue was emptied or a message was lost."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from redis import Redis

from arena.matches import attempts, outbox, relay
from arena.matches.models import Attempt, Outbox
from arena.matches.reports import record_report
from tests.arena.cast import ask_for, claim, make_bot, report_of

pytestmark = pytest.mark.django_db
MATCHES, ARENA = "aztlan:matches", "aztlan:arena"


def sent_long_ago() -> None:
    Attempt.objects.update(sent_at=Now() - timedelta(minutes=1))


def test_the_relay_sends_each_attempt_once(redis: Redis) -> None:
    versions = [make_bot("one"), make_bot("two")]
    for _ in range(3):
        ask_for(versions)
    assert redis.llen(MATCHES) == 0, "the transaction of this test is not committed"
    relay.send_everything()
    relay.send_everything()
    assert redis.llen(MATCHES) == 3


@pytest.mark.django_db(transaction=True)
def test_a_commit_nudges(redis: Redis) -> None:
    ask_for([make_bot("one"), make_bot("two")])
    assert redis.llen(MATCHES) == 1
    assert Attempt.objects.get().sent_at


def test_an_emptied_queue_is_filled_again(redis: Redis) -> None:
    ask_for([make_bot("one"), make_bot("two")])
    relay.send_everything()
    redis.flushdb()
    relay.send_everything()
    assert redis.llen(MATCHES) == 0, "a host may have taken it a moment ago"
    sent_long_ago()
    relay.send_everything()
    assert redis.llen(MATCHES) == 1


def test_a_long_queue_is_not_sent_twice_but_a_message_that_was_overtaken_is(redis: Redis) -> None:
    versions = [make_bot("one"), make_bot("two")]
    lost, taken, waiting = (ask_for(versions) for _ in range(3))
    relay.send_everything()
    sent_long_ago()
    relay.send_everything()
    assert redis.llen(MATCHES) == 3
    Attempt.objects.filter(match=lost).update(sent_at=Now() - timedelta(minutes=2))
    claim(taken)
    relay.send_everything()
    assert redis.llen(MATCHES) == 4
    assert Attempt.objects.get(match=waiting).sent_at < Attempt.objects.get(match=lost).sent_at


def test_owed_work_is_done_once_for_each_try_and_struck_off(redis: Redis) -> None:
    done = []
    outbox.handler("test")(done.append)
    outbox.owe("test", {"n": 1})
    owed = Outbox.objects.get()
    assert outbox.deliver(owed.pk, 0)
    assert not outbox.deliver(owed.pk, 0)
    assert done == [{"n": 1}]
    assert not Outbox.objects.exists()


def test_work_that_fails_stays_owed_and_is_tried_less_and_less_often(redis: Redis) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("not today")

    outbox.handler("test")(fail)
    outbox.owe("test", {})
    owed = Outbox.objects.get()
    pauses = []
    for tries in range(3):
        assert not outbox.deliver(owed.pk, tries)
        owed.refresh_from_db()
        pauses.append(owed.due_at)
    assert "not today" in owed.error
    assert pauses == sorted(pauses)
    relay.send_everything()
    assert redis.llen(ARENA) == 0, "it is not due yet"
    Outbox.objects.update(due_at=Now())
    relay.send_everything()
    assert redis.llen(ARENA) == 1


def test_a_dead_queue_does_not_break_the_request_that_asks_for_a_match(
    monkeypatch: pytest.MonkeyPatch, redis: Redis, django_capture_on_commit_callbacks: Any
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ConnectionRefusedError("no Redis")

    monkeypatch.setattr(relay.app, "send_task", broken)
    with django_capture_on_commit_callbacks(execute=True):
        ask_for([make_bot("one"), make_bot("two")])
    assert Attempt.objects.get().sent_at is None
    monkeypatch.undo()
    relay.send_everything()
    assert redis.llen(MATCHES) == 1


def test_a_second_attempt_is_sent_like_the_first(redis: Redis) -> None:
    match = ask_for([make_bot("one"), make_bot("two")])
    relay.send_everything()
    attempts.give_back(claim(match), "stopping", host_at_fault=False)
    relay.send_everything()
    assert redis.llen(MATCHES) == 2
    record_report(claim(match), report_of(match))
