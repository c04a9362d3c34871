"""Tasks that belong to no app: ids in, one service call."""

from celery import shared_task
from django.core.management import call_command

from arena import health


@shared_task
def note_consumption() -> None:
    health.note_consumption()


@shared_task
def forget_old_sessions() -> None:
    call_command("clearsessions")
