"""Tasks that belong to no app: ids in, one service call."""

from celery import shared_task
from django.core.management import call_command


@shared_task
def note_consumption() -> None:
    """Do nothing: a worker that takes this notes that its queue is consumed, as with every task."""


@shared_task
def forget_old_sessions() -> None:
    call_command("clearsessions")
