"""Calls webhooks: one call at a time per owner, and failing receivers are paused.

The database knows which calls are due; a message only names an owner who has some. The worker that takes it
makes the calls of that owner for a while, then gives the others a turn.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from http.client import HTTPException

from django.db.models import F
from django.db.models.functions import Now
from redis.exceptions import LockError

from arena.notices import addresses, calling, webhooks
from arena.notices.models import Webhook, WebhookDelivery
from arena.queues import nudge
from arena.redis_client import redis_client

TRIES = 10
FIRST_PAUSE = 20
LONGEST_PAUSE = 3600
FAILURES_TO_PAUSE = 5
FAILURES_TO_STOP = 50
TURN_SECONDS = 10.0
LEASE_SECONDS = TURN_SECONDS + 2 * calling.DEADLINE_SECONDS
"""A worker that holds an owner's turn for longer is considered dead."""


def make_calls(owner_id: int) -> None:
    """Make the due calls of an owner, unless another worker is making them."""
    with turn_of(owner_id) as is_mine:
        until = time.monotonic() + TURN_SECONDS
        while is_mine and time.monotonic() < until and (delivery := next_due(owner_id)):
            make_call(delivery)
    # Check after the turn is given back: a worker that was turned away meanwhile came for these.
    if is_mine and next_due(owner_id):
        nudge(lambda: webhooks.send_calls([owner_id]))


@contextmanager
def turn_of(owner_id: int) -> Iterator[bool]:
    """Hold the turn of an owner, unless another worker has it."""
    with redis_client() as client:
        turn = client.lock(f"aztlan:webhooks:{owner_id}", timeout=LEASE_SECONDS, blocking=False)
        is_mine = turn.acquire()
        try:
            yield is_mine
        finally:
            with suppress(LockError):  # it expired, or Redis was emptied
                if is_mine:
                    turn.release()


def next_due(owner_id: int) -> WebhookDelivery | None:
    due = WebhookDelivery.objects.due().filter(webhook__owner=owner_id).select_related("webhook")
    return due.order_by("due_at", "id").first()


def make_call(delivery: WebhookDelivery) -> None:
    """Make one call; anything but a 2xx is retried later, with growing pauses."""
    deliveries = WebhookDelivery.objects.filter(pk=delivery.pk)
    tries = delivery.tries + 1
    again = None if tries >= TRIES else Now() + pause_after(tries)
    if not deliveries.filter(tries=delivery.tries).update(tries=tries, due_at=again):
        return  # another worker makes it
    try:
        status = calling.post(delivery.webhook.url, delivery.body.encode(), webhooks.headers_of(delivery))
        answer = f"HTTP {status}"
    except (addresses.AddressError, OSError, HTTPException, ValueError) as error:
        status, answer = 0, f"{type(error).__name__}: {error}"
    deliveries.update(answer=answer[:200])
    if 200 <= status < 300:
        deliveries.update(delivered_at=Now(), due_at=None)
        Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0, paused_until=None)
    else:
        note_failure(delivery.webhook_id)


def note_failure(webhook_id: int) -> None:
    """Pause a receiver after several failures in a row, and stop it after many."""
    receiver = Webhook.objects.filter(pk=webhook_id)
    receiver.update(failures=F("failures") + 1)
    failures = receiver.values_list("failures", flat=True).first() or 0  # None if it was deleted meanwhile
    if failures >= FAILURES_TO_STOP:
        receiver.update(stopped_at=Now())
        WebhookDelivery.objects.filter(webhook=webhook_id).update(due_at=None)
    elif failures >= FAILURES_TO_PAUSE:
        receiver.update(paused_until=Now() + pause_after(failures - FAILURES_TO_PAUSE + 2))


def pause_after(times: int) -> timedelta:
    return timedelta(seconds=min(FIRST_PAUSE * 2 ** (times - 1), LONGEST_PAUSE))
