"""What is committed gets sent, though nobody nudged, the queue was emptied or a message was lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from redis import Redis

from arena.celery import app
from arena.hosts import attempts
from arena.hosts.models import Attempt
from arena.hosts.reports import record_report
from arena.listeners import HANDLERS, WorkHandler
from arena.outbox import services as outbox
from arena.outbox.models import Outbox
from arena.tasks import send_due
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
    send_due()
    send_due()
    assert redis.llen(MATCHES) == 3


@pytest.mark.django_db(transaction=True)
def test_a_commit_nudges(redis: Redis) -> None:
    ask_for([make_bot("one"), make_bot("two")])
    assert redis.llen(MATCHES) == 1
    assert Attempt.objects.get().sent_at


def test_an_emptied_queue_is_filled_again(redis: Redis) -> None:
    ask_for([make_bot("one"), make_bot("two")])
    send_due()
    redis.flushdb()
    send_due()
    assert redis.llen(MATCHES) == 0, "a host may have taken it a moment ago"
    sent_long_ago()
    send_due()
    assert redis.llen(MATCHES) == 1


def test_a_long_queue_is_not_sent_twice_but_a_message_that_was_overtaken_is(redis: Redis) -> None:
    versions = [make_bot("one"), make_bot("two")]
    lost, taken, waiting = (ask_for(versions) for _ in range(3))
    send_due()
    sent_long_ago()
    send_due()
    assert redis.llen(MATCHES) == 3
    Attempt.objects.filter(match=lost).update(sent_at=Now() - timedelta(minutes=2))
    claim(taken)
    send_due()
    assert redis.llen(MATCHES) == 4
    assert Attempt.objects.get(match=waiting).sent_at < Attempt.objects.get(match=lost).sent_at


@dataclass(frozen=True)
class Listed(WorkHandler):
    """A handler of a test, in the table of handlers like any other."""

    act: Callable[[Any], None] = print

    def __call__(self, work: Any) -> None:
        self.act(work)


def test_owed_work_is_done_once_for_each_try_and_struck_off(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []
    monkeypatch.setitem(HANDLERS, "test", Listed("", act=done.append))
    outbox.owe("test", {"n": 1})
    owed = Outbox.objects.get()
    assert outbox.deliver(owed.pk, 0)
    assert not outbox.deliver(owed.pk, 0)
    assert done == [{"n": 1}]
    assert not Outbox.objects.exists()


def test_work_that_fails_stays_owed_and_is_tried_less_and_less_often(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("not today")

    monkeypatch.setitem(HANDLERS, "test", Listed("", act=fail))
    outbox.owe("test", {})
    owed = Outbox.objects.get()
    pauses = []
    for tries in range(3):
        assert not outbox.deliver(owed.pk, tries)
        owed.refresh_from_db()
        pauses.append(owed.due_at)
    assert "not today" in owed.error
    assert pauses == sorted(pauses)
    send_due()
    assert redis.llen(ARENA) == 0, "it is not due yet"
    Outbox.objects.update(due_at=Now())
    send_due()
    assert redis.llen(ARENA) == 1


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> list[list[Any]]:
    """What was done together, of a kind that fails where a work of it is bad."""
    calls: list[list[Any]] = []

    def settle(payloads: Sequence[dict[str, Any]]) -> None:
        calls.append([payload["n"] for payload in payloads])
        if "bad" in calls[-1]:
            raise ZeroDivisionError("not this one")

    monkeypatch.setitem(HANDLERS, "many", Listed("", together=True, act=settle))
    return calls


def test_what_is_done_together_is_taken_by_one_message(redis: Redis, settled: list[list[Any]]) -> None:
    for number in range(3):
        outbox.owe("many", {"n": number})
    first, second, _ = Outbox.objects.order_by("pk")
    assert outbox.deliver(second.pk, 0)
    assert not outbox.deliver(first.pk, 0)
    assert settled == [[0, 1, 2]]
    assert not Outbox.objects.exists()


def test_a_bad_work_does_not_hold_up_those_that_are_done_with_it(
    redis: Redis, settled: list[list[Any]]
) -> None:
    for number in (1, "bad", 3):
        outbox.owe("many", {"n": number})
    assert not outbox.deliver(Outbox.objects.order_by("pk")[0].pk, 0)
    assert settled == [[1, "bad", 3], [1], ["bad"], [3]]
    owed = Outbox.objects.get()
    assert (owed.payload, owed.tries) == ({"n": "bad"}, 1)
    assert "not this one" in owed.error
    outbox.owe("many", {"n": 4})
    assert not outbox.deliver(owed.pk, 1)
    assert settled[-1] == ["bad"], "what failed before is tried alone"


@pytest.mark.django_db(transaction=True)
def test_what_is_done_together_is_sent_for_at_once_and_then_once_in_a_while(
    redis: Redis, settled: list[list[Any]]
) -> None:
    outbox.owe("many", {"n": 0})
    assert redis.llen(ARENA) == 1
    keys = [key.format(kind="many") for key in (outbox.RECENTLY_SENT, outbox.AWAITED)]
    redis.persist(keys[0])  # the moment lasts as long as this test needs
    outbox.owe("many", {"n": 1})
    redis.persist(keys[1])
    for number in range(2, 4):
        outbox.owe("many", {"n": number})
    assert redis.llen(ARENA) == 2, "one at once, and one a moment later for all that came since"
    redis.delete(*keys)
    outbox.owe("many", {"n": 4})
    assert redis.llen(ARENA) == 3


def test_the_relay_sends_once_for_all_that_is_done_together(redis: Redis, settled: list[list[Any]]) -> None:
    for number in range(3):
        outbox.owe("many", {"n": number})
    Outbox.objects.update(due_at=Now())
    send_due()
    send_due()
    assert redis.llen(ARENA) == 1


def test_a_dead_queue_does_not_break_the_request_that_asks_for_a_match(
    monkeypatch: pytest.MonkeyPatch, redis: Redis, django_capture_on_commit_callbacks: Any
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ConnectionRefusedError("no Redis")

    monkeypatch.setattr(app, "send_task", broken)
    with django_capture_on_commit_callbacks(execute=True):
        ask_for([make_bot("one"), make_bot("two")])
    assert Attempt.objects.get().sent_at is None
    monkeypatch.undo()
    send_due()
    assert redis.llen(MATCHES) == 1


def test_a_second_attempt_is_sent_like_the_first(redis: Redis) -> None:
    match = ask_for([make_bot("one"), make_bot("two")])
    send_due()
    attempts.give_back(claim(match), "stopping", host_at_fault=False)
    send_due()
    assert redis.llen(MATCHES) == 2
    record_report(claim(match), report_of(match))
