"""Tasks on the queue `arena`: ids in, one service call."""

from celery import shared_task

from arena.matches import attempts, outbox, relay


@shared_task
def send_everything() -> None:
    relay.send_everything()


@shared_task
def reap() -> None:
    attempts.reap()


@shared_task
def deliver(outbox_id: int, tries: int) -> None:
    outbox.deliver(outbox_id, tries)
