"""Ids in, one service call. On the queue `arena`, but for calls and what is computed."""

from celery import shared_task

from arena.matches import attempts, deliveries, outbox, relay


@shared_task
def send_everything() -> None:
    relay.send_everything()


@shared_task
def reap() -> None:
    attempts.reap()


@shared_task
def send_calls() -> None:
    relay.send_calls()


@shared_task
def call_webhooks(owner_id: int) -> None:
    deliveries.make_calls(owner_id)


@shared_task
def deliver(outbox_id: int, tries: int) -> None:
    outbox.deliver(outbox_id, tries)
