"""Receivers that drip, flood, hang or fail: what a call may cost, and whose calls wait for whose."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from arena import queues
from arena.accounts.models import User
from arena.notices import calling, deliveries
from arena.notices.models import Webhook, WebhookDelivery
from arena.notices.webhooks import send_calls
from tests.arena.people import make_person

CALLS = "aztlan:calls"
Behaviour = Callable[[socket.socket], None]


class Receiver:
    """A server that reads a request's head and then behaves as it is told."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.calls = 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}/"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with suppress(OSError):  # closed: the test is over
            while True:
                connection, _ = self.server.accept()
                self.calls += 1
                threading.Thread(target=self.answer, args=[connection], daemon=True).start()

    def answer(self, connection: socket.socket) -> None:
        with closing(connection), suppress(OSError):
            connection.recv(65536)
            self.behave(connection)


def drip(text: bytes) -> Behaviour:
    """Send a byte now and then, each well within any time-out of a single operation."""

    def behave(connection: socket.socket) -> None:
        for byte in text:
            connection.sendall(bytes([byte]))
            threading.Event().wait(0.02)

    return behave


def say(text: bytes) -> Behaviour:
    return lambda connection: connection.sendall(text)


def flood(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: " + b"x" * 10_000 + b"\r\n")


@pytest.fixture
def receiver(settings: Any) -> Iterator[Callable[[Behaviour], Receiver]]:
    settings.WEBHOOKS_TO_PRIVATE = True
    opened: list[Receiver] = []

    def open_receiver(behave: Behaviour) -> Receiver:
        opened.append(Receiver(behave))
        return opened[-1]

    yield open_receiver
    for one in opened:
        one.server.close()


GOOD, BAD = say(b"HTTP/1.1 204 No Content\r\n\r\n"), say(b"HTTP/1.1 500 No\r\n\r\n")


def test_a_receiver_that_drips_its_answer_ends_at_the_deadline_of_the_whole_call(
    receiver: Callable[[Behaviour], Receiver],
) -> None:
    url = receiver(drip(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 200 + b"\r\n\r\n")).url
    with pytest.raises(TimeoutError):
        calling.post(url, b"{}", {}, seconds=0.5)


def test_a_receiver_that_says_nothing_ends_at_the_deadline(receiver: Callable[[Behaviour], Receiver]) -> None:
    with pytest.raises(TimeoutError):
        calling.post(receiver(lambda _: threading.Event().wait(60) and None).url, b"{}", {}, seconds=0.2)


def test_a_name_that_nobody_resolves_ends_at_the_deadline(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    done = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: done.wait(60))
    with pytest.raises(TimeoutError):
        calling.post("http://example.org/", b"{}", {}, seconds=0.2)
    done.set()


def test_a_receiver_whose_head_never_ends_is_cut_off_by_its_bytes(
    receiver: Callable[[Behaviour], Receiver],
) -> None:
    with pytest.raises(OSError, match="too long"):
        calling.post(receiver(flood).url, b"{}", {}, seconds=60)


@pytest.mark.parametrize("body", [drip(b"x" * 1000), lambda connection: flood(connection)])
def test_the_body_of_an_answer_is_not_waited_for(
    receiver: Callable[[Behaviour], Receiver], body: Behaviour
) -> None:
    def behave(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        body(connection)

    assert calling.post(receiver(behave).url, b"{}", {}, seconds=60) == 200


def hook(owner: User, url: str, count: int = 1) -> Webhook:
    """A webhook with some calls due."""
    webhook = Webhook.objects.create(owner=owner, url=url)
    for number in range(count):
        WebhookDelivery.objects.create(
            webhook=webhook, event="match.finished", subject=str(number), body="{}"
        )
    return webhook


def all_due() -> None:
    """As if every pause were over."""
    WebhookDelivery.objects.exclude(due_at=None).update(due_at=Now())
    Webhook.objects.update(paused_until=None)


@pytest.mark.django_db
def test_a_receiver_that_keeps_failing_is_left_alone_then_tried_once_and_at_last_stopped(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, itzel: User
) -> None:
    bad = receiver(BAD)
    webhook = hook(itzel, bad.url, count=30)
    deliveries.make_calls(itzel.pk)
    assert bad.calls == deliveries.FAILURES_TO_PAUSE, "the others wait until it has rested"
    pauses = []
    while not webhook.stopped_at:
        all_due()
        before = bad.calls
        deliveries.make_calls(itzel.pk)
        assert bad.calls == before + 1, "one call shows whether it works again"
        webhook.refresh_from_db()
        pauses.append(webhook.paused_until)
    assert pauses[:-1] == sorted(pauses[:-1]), "longer each time"
    assert bad.calls == deliveries.FAILURES_TO_STOP
    assert not WebhookDelivery.objects.exclude(due_at=None).exists()
    deliveries.make_calls(itzel.pk)
    assert bad.calls == deliveries.FAILURES_TO_STOP


@pytest.mark.django_db
def test_a_receiver_that_works_again_gets_all_that_waited(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, itzel: User
) -> None:
    flaky = receiver(BAD)
    webhook = hook(itzel, flaky.url, count=8)
    deliveries.make_calls(itzel.pk)
    flaky.behave = GOOD
    all_due()
    deliveries.make_calls(itzel.pk)
    assert not WebhookDelivery.objects.filter(delivered_at=None).exists()
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.paused_until) == (0, None)


@pytest.mark.django_db
def test_a_call_that_fails_is_tried_less_and_less_often_and_at_last_given_up(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, itzel: User
) -> None:
    bad = receiver(BAD)
    hook(itzel, bad.url)
    pauses = []
    for _ in range(deliveries.TRIES):
        all_due()
        now = WebhookDelivery.objects.get().due_at
        deliveries.make_calls(itzel.pk)
        delivery = WebhookDelivery.objects.get()
        pauses.append(delivery.due_at and delivery.due_at - now)
    assert (pauses[-1], pauses[:-1]) == (None, sorted(pauses[:-1]))
    assert (delivery.tries, delivery.answer) == (deliveries.TRIES, "HTTP 500")


@pytest.mark.django_db
def test_one_owner_has_one_call_at_a_time_and_nobody_waits_for_it(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, itzel: User, mateo: User
) -> None:
    good = receiver(GOOD)
    hook(itzel, good.url, count=3)
    hook(mateo, good.url + "his", count=1)
    with deliveries.turn_of(itzel.pk) as is_mine:
        assert is_mine
        deliveries.make_calls(itzel.pk)
        assert good.calls == 0, "another worker makes her calls"
        deliveries.make_calls(mateo.pk)
        assert good.calls == 1
    deliveries.make_calls(itzel.pk)
    assert good.calls == 4


@pytest.mark.django_db(transaction=True)
def test_an_owner_with_many_calls_goes_to_the_end_of_the_line_after_a_turn(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "TURN_SECONDS", 0.0001)
    good, owner = receiver(GOOD), make_person("itzel")
    hook(owner, good.url, count=4)
    turns = 0
    send_calls()
    while redis.llen(CALLS):
        redis.lpop(CALLS)
        deliveries.make_calls(owner.pk)
        turns += 1
    assert good.calls == 4
    assert turns > 1


@pytest.mark.django_db
def test_a_lost_wake_up_is_sent_again_and_a_long_queue_is_not_made_longer(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, itzel: User, mateo: User
) -> None:
    for owner in (itzel, mateo):
        hook(owner, f"http://127.0.0.1:1/{owner.pk}", count=3)
    assert send_calls() == 2
    assert redis.llen(CALLS) == 2, "one for each owner"
    redis.flushdb()
    Webhook.objects.filter(owner=mateo).update(paused_until=Now() + timedelta(hours=1))
    assert send_calls() == 1
    for _ in range(queues.BATCH):
        redis.lpush(CALLS, "x")
    assert send_calls() == 0


@pytest.mark.django_db
def test_a_call_under_way_survives_that_its_webhook_is_deleted(
    receiver: Callable[[Behaviour], Receiver], redis: Redis, itzel: User
) -> None:
    hook(itzel, receiver(BAD).url)
    delivery = deliveries.next_due(itzel.pk)
    assert delivery
    Webhook.objects.all().delete()
    deliveries.make_call(delivery)
    deliveries.note_failure(delivery.webhook_id)


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(answers=st.lists(st.booleans(), max_size=12), counts=st.tuples(*[st.integers(0, 4)] * 3))
def test_whatever_receivers_answer_every_call_is_delivered_once_or_given_up(
    receiver: Callable[[Behaviour], Receiver], answers: list[bool], counts: tuple[int, int, int]
) -> None:
    left = iter(answers)
    server = receiver(lambda connection: (GOOD if next(left, True) else BAD)(connection))
    User.objects.all().delete()
    owners = [make_person(f"author{number}") for number in range(3)]
    for owner, count in zip(owners, counts, strict=True):
        hook(owner, server.url + owner.username, count)
    while WebhookDelivery.objects.exclude(due_at=None).exists():
        all_due()
        for owner in owners:
            deliveries.make_calls(owner.pk)
    rows = WebhookDelivery.objects.all()
    assert all(row.due_at is None and row.delivered_at for row in rows)
    assert sum(row.tries for row in rows) == server.calls
    assert server.calls - len(rows) == answers[: server.calls].count(False)
