"""Tasks: ids in, one service call each."""

from celery import shared_task

from arena.outbox import services


@shared_task
def deliver(outbox_id: int, tries: int) -> None:
    services.deliver(outbox_id, tries)
