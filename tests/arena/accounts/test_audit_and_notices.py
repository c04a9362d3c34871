from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, transaction
from django.test import Client

from arena.accounts import audit
from arena.accounts.models import AuditEntry, User
from arena.accounts.services import house_user
from arena.notices.models import Notice
from arena.notices.services import notify

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("act", ["update", "delete"])
def test_the_audit_log_only_grows(citlali: User, act: str) -> None:
    audit.record(citlali, "bench", citlali, "a reason")
    rows = AuditEntry.objects.all()
    with pytest.raises(DatabaseError, match="only grows"), transaction.atomic():
        rows.update(reason="") if act == "update" else rows.delete()
    assert AuditEntry.objects.get().reason == "a reason"


def test_notices_are_read_once_and_mailed_to_those_who_want(
    client: Client, itzel: User, mateo: User, django_capture_on_commit_callbacks: Any
) -> None:
    User.objects.filter(pk=mateo.pk).update(mails_notices=False)
    with django_capture_on_commit_callbacks(execute=True):
        notify(itzel.pk, lambda: "Your bot is benched.", "/bots/jaguar/")
        notify(mateo.pk, lambda: "Your bot is benched.")
    assert [message.to for message in mail.outbox] == [["itzel@example.org"]]
    assert "/bots/jaguar/" in str(mail.outbox[0].body)
    client.force_login(itzel)
    assert '<span class="count">1</span>' in client.get("/").content.decode()
    assert "Your bot is benched." in client.get("/accounts/notices").content.decode()
    assert '<span class="count">' not in client.get("/").content.decode()
    assert Notice.objects.filter(read_at=None).count() == 1  # mateo's


def test_an_address_that_is_not_confirmed_gets_no_notices(
    itzel: User, django_capture_on_commit_callbacks: Any
) -> None:
    User.objects.update(email_confirmed_at=None)
    with django_capture_on_commit_callbacks(execute=True):
        notify(itzel.pk, lambda: "News.")
    assert mail.outbox == []


def test_nobody_signs_in_to_the_house(client: Client) -> None:
    house = house_user()
    assert house_user() == house
    assert not house.has_usable_password()
    assert not client.login(username="house", password="")
