"""Tasks on the queue `calls`: ids in, one service call each."""

from celery import shared_task

from arena.notices import deliveries, webhooks


@shared_task
def send_calls() -> None:
    webhooks.send_calls()


@shared_task
def call_webhooks(owner_id: int) -> None:
    deliveries.make_calls(owner_id)
