"""Webhooks: signed calls to authors' own addresses, retried, and never to private networks."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db.models import Q, QuerySet

from arena.accounts.models import TeamMembership, User
from arena.celery import CALLS_QUEUE, app
from arena.notices.addresses import check_url
from arena.notices.models import Webhook, WebhookDelivery
from arena.queues import BATCH, long_queues, nudge

CALL_WEBHOOKS = "arena.notices.tasks.call_webhooks"
MOST_WEBHOOKS = 5


def has_webhooks() -> bool:
    return Webhook.objects.filter(stopped_at=None).exists()


def webhooks_of(owners: QuerySet[Any]) -> QuerySet[Webhook]:
    """Return the webhooks of these owners; those of a team's members for the team."""
    members = TeamMembership.objects.filter(team__in=owners).values("person")
    of_people = Webhook.objects.filter(Q(owner__in=owners) | Q(owner__in=members), stopped_at=None)
    return of_people.select_related("owner")


def owe_calls(webhooks: Iterable[Webhook], event: str, subject: str, data: dict[str, Any]) -> None:
    """Owe each webhook one call per subject, no matter how often this is called."""
    body = json.dumps(data, separators=(",", ":"))
    for webhook in webhooks:
        _delivery, is_new = WebhookDelivery.objects.get_or_create(
            webhook=webhook, event=event, subject=subject, defaults={"body": body}
        )
        if is_new:
            nudge(partial(send_calls, [webhook.owner_id]))


def send_calls(owners: Sequence[int] | None = None) -> int:
    """Wake a worker for each of these owners, or for all owners who have calls due."""
    if owners is None:
        due = WebhookDelivery.objects.due().values_list("webhook__owner", flat=True).order_by()
        owners = [] if CALLS_QUEUE in long_queues() else list(due.distinct()[:BATCH])
    with app.producer_pool.acquire(block=True) as producer:
        for owner in owners:
            app.send_task(CALL_WEBHOOKS, [owner], queue=CALLS_QUEUE, producer=producer, retry=False)
    return len(owners)


def headers_of(delivery: WebhookDelivery) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "User-Agent": "aztlan-arena",
        "X-Arena-Event": delivery.event,
        "X-Arena-Delivery": str(delivery.pk),
        "X-Arena-Signature": sign(delivery.webhook.secret, delivery.body),
    }


def sign(secret: str, body: str) -> str:
    """Return the signature with which a receiver can verify a call."""
    return "sha256=" + hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()


def add(owner: User, url: str) -> Webhook | None:
    """Add a webhook; return None if the author already has it, or has the maximum number."""
    check_url(url)
    if owner.webhooks.count() >= MOST_WEBHOOKS:
        return None
    webhook, is_new = Webhook.objects.get_or_create(owner=owner, url=url)
    if not is_new and webhook.stopped_at:  # added again: it may work by now
        Webhook.objects.filter(pk=webhook.pk).update(stopped_at=None, paused_until=None, failures=0)
        return webhook
    return webhook if is_new else None
