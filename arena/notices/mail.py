"""E-mails are owed in the transaction that causes them, and sent by the workers of the queue `calls`."""

from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from arena.notices.models import OwedMail
from arena.outbox import services as outbox
from arena.redis_client import redis_client

KEEP = timedelta(days=1)
"""An e-mail that could not be sent for this long is dropped: its links have expired too."""
AWAY = "aztlan:mail:away"
REST_SECONDS = 30
"""After a failure, the mail server gets a rest: its timeouts would hold up all other calls."""
ONE_MAIL = (SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused)
"""Failures that concern a single e-mail."""


class Owe(BaseEmailBackend):
    """An EMAIL_BACKEND for Django that stores plain e-mails and owes their sending."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        for message in messages:
            mail = OwedMail.objects.create(
                subject=str(message.subject),
                body=str(message.body),
                from_email=message.from_email,
                to=message.to,
            )
            outbox.owe("mail", {"mail": mail.pk})
        return len(messages)


def send(payload: dict[str, Any]) -> None:
    mail = OwedMail.objects.filter(pk=payload["mail"]).first()
    if mail is None:
        return
    with redis_client() as client:
        if client.exists(AWAY):
            raise outbox.TryLaterError("the mail server failed a moment ago")
        message = EmailMessage(mail.subject, mail.body, mail.from_email, mail.to)
        try:
            get_connection(settings.MAIL_BACKEND).send_messages([message])
        except OSError as error:  # which all SMTP errors are
            if mail.created_at < timezone.now() - KEEP:
                mail.delete()
                raise outbox.GiveUpError(f"it could not be sent within a day: {error}") from error
            if not isinstance(error, ONE_MAIL):
                client.set(AWAY, "1", ex=REST_SECONDS)
            raise outbox.TryLaterError(f"{type(error).__name__}: {error}") from error
    mail.delete()
