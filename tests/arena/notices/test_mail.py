"""Whoever causes a mail does not wait for a mail server, and nobody else may read it."""

from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.test import Client
from django.utils import timezone
from redis import Redis

from arena.accounts.models import User
from arena.notices.models import OwedMail
from arena.notices.services import notify
from arena.outbox import services as outbox
from arena.outbox.models import Outbox

pytestmark = pytest.mark.django_db
CALLS = "aztlan:calls"


@pytest.fixture(autouse=True)
def backends(settings: Any, redis: Redis) -> None:
    settings.EMAIL_BACKEND = "arena.notices.mail.Owe"
    settings.MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A mail server that hangs up; how often it was tried."""
    tries: list[int] = []

    def fail(*_: object) -> int:
        tries.append(1)
        raise SMTPServerDisconnected("Connection unexpectedly closed")

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    return tries


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_sent_on_the_queue_of_calls_which_only_carries_its_number(
    client: Client, redis: Redis, itzel: User
) -> None:
    client.post("/accounts/reset", {"email": itzel.email})
    assert (mail.outbox, redis.llen(CALLS), redis.llen("aztlan:arena")) == ([], 1, 0)
    owed = Outbox.objects.get()
    assert owed.payload == {"mail": OwedMail.objects.get().pk}, "staff can read this, but not the link"
    assert outbox.deliver(owed.pk, 0)
    [sent] = mail.outbox
    assert sent.to == [itzel.email]
    assert "/accounts/reset/" in str(sent.body)
    assert not OwedMail.objects.exists()


def test_what_is_rolled_back_sends_no_mail(itzel: User) -> None:
    with transaction.atomic():
        notify(itzel.pk, lambda: "Your bot is benched.")
        assert OwedMail.objects.exists()
        transaction.set_rollback(True)
    assert not Outbox.objects.exists()
    assert not OwedMail.objects.exists()


def test_a_mail_server_that_is_away_is_tried_by_one_mail_at_a_time_and_mails_wait_for_it(
    itzel: User, redis: Redis, away: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        notify(itzel.pk, lambda: "Your bot is benched.")
    for owed in Outbox.objects.all():
        assert not outbox.deliver(owed.pk, 0)
    assert len(away) == 1, "its time-out would hold up other calls"
    monkeypatch.undo()
    redis.flushdb()
    for owed in Outbox.objects.all():
        assert outbox.deliver(owed.pk, 1)
    assert len(mail.outbox) == 3


def test_a_mail_that_nobody_took_for_a_day_is_given_up(itzel: User, away: list[int]) -> None:
    notify(itzel.pk, lambda: "Your bot is benched.")
    OwedMail.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert outbox.deliver(Outbox.objects.get().pk, 0)
    assert not OwedMail.objects.exists()
    assert not Outbox.objects.exists()
