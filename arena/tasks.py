"""Tasks that belong to no app: ids in, one service call."""

from celery import shared_task
from django.core.management import call_command

from arena.hosts import wakeups
from arena.outbox import services as outbox
from arena.queues import until_empty


@shared_task
def note_consumption() -> None:
    """Do nothing: as with every task, the worker that takes it notes that its queue is consumed."""


@shared_task
def forget_old_sessions() -> None:
    call_command("clearsessions")


@shared_task
def send_due() -> None:
    """Send what the database says must be on the queues, where no message says so yet."""
    wakeups.forget_lost_wake_ups()
    until_empty(wakeups.send_wake_ups)
    until_empty(outbox.send_due)
