"""Calls to authors' own addresses when a match of theirs is over: signed, tried again, never inwards."""

import hashlib
import hmac
import http.client
import json
import socket
import ssl
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now
from django.utils.encoding import iri_to_uri

from arena.accounts.models import User
from arena.matches import outbox
from arena.matches.addresses import AddressError, check_url, public_address
from arena.matches.models import Match, MatchSeat, Webhook, WebhookDelivery

EVENT = "match.finished"
TRIES = 10
FAILURES_TO_STOP = 50
TIMEOUT_SECONDS = 10
MOST_WEBHOOKS = 5


def announce(matches: Sequence[Match]) -> None:
    """Owe a call to each webhook of the authors who had a bot in a finished match."""
    if Webhook.objects.filter(stopped_at=None).exists():  # most arenas have none
        for match in matches:
            announce_one(match)


def announce_one(match: Match) -> None:
    if match.state != Match.State.FINISHED:
        return
    owners = MatchSeat.objects.filter(match=match).values("version__bot__owner")
    webhooks = list(Webhook.objects.filter(owner__in=owners, stopped_at=None))
    if not webhooks:
        return
    body = json.dumps({"event": EVENT, "match": describe(match)}, separators=(",", ":"))
    for webhook in webhooks:
        delivery, is_new = WebhookDelivery.objects.get_or_create(
            webhook=webhook, event=EVENT, subject=match.public_id, defaults={"body": body}
        )
        if is_new:
            outbox.owe("webhook", {"delivery": delivery.pk})


def describe(match: Match) -> dict[str, Any]:
    seats = MatchSeat.objects.filter(match=match).select_related("version__bot").order_by("seat")
    return {
        "id": match.public_id,
        "url": settings.SITE_URL + match.get_absolute_url(),
        "purpose": match.purpose,
        "finished_at": match.finished_at.isoformat() if match.finished_at else None,
        "seats": [
            {
                "bot": seat.version.bot.slug,
                "version": seat.version.number,
                "placement": seat.placement,
                "score": seat.score,
                "fault": seat.fault or None,
            }
            for seat in seats
        ],
    }


@outbox.handler("webhook")
def deliver(payload: dict[str, Any]) -> None:
    """Make one call; anything but a 2xx is tried again later, less and less often."""
    delivery = WebhookDelivery.objects.select_related("webhook").filter(pk=payload["delivery"]).first()
    if delivery is None:
        return  # its webhook was deleted, and all that was owed to it
    webhook = delivery.webhook
    if delivery.delivered_at or webhook.stopped_at:
        return
    deliveries = WebhookDelivery.objects.filter(pk=delivery.pk)
    try:
        status = call(webhook.url, delivery.body.encode(), headers_of(delivery))
        answer = f"HTTP {status}"
    except (AddressError, OSError, ValueError, http.client.HTTPException) as error:
        status, answer = 0, f"{type(error).__name__}: {error}"
    deliveries.update(tries=F("tries") + 1, answer=answer[:200])
    if 200 <= status < 300:
        deliveries.update(delivered_at=Now())
        Webhook.objects.filter(pk=webhook.pk).update(failures=0)
        return
    Webhook.objects.filter(pk=webhook.pk).update(failures=F("failures") + 1)
    Webhook.objects.filter(pk=webhook.pk, failures__gte=FAILURES_TO_STOP).update(stopped_at=Now())
    if delivery.tries + 1 >= TRIES:
        raise outbox.GiveUpError(answer)
    raise outbox.TryLaterError(answer)


def headers_of(delivery: WebhookDelivery) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "User-Agent": "aztlan-arena",
        "X-Arena-Event": delivery.event,
        "X-Arena-Delivery": str(delivery.pk),
        "X-Arena-Signature": sign(delivery.webhook.secret, delivery.body),
    }


def sign(secret: str, body: str) -> str:
    """Return the signature that a receiver computes to know a call as ours."""
    return "sha256=" + hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()


def call(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Post to the address and return the status. No redirect is followed: it could lead inwards."""
    check_url(url)
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    # The very address that was checked is connected to: a second look-up might answer differently.
    raw = socket.create_connection((public_address(host, port), port), timeout=TIMEOUT_SECONDS)
    is_tls = parts.scheme == "https"
    connection.sock = ssl.create_default_context().wrap_socket(raw, server_hostname=host) if is_tls else raw
    try:
        path = iri_to_uri((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        response.read(1024)
        return response.status
    finally:
        connection.close()


def add(owner: User, url: str) -> Webhook | None:
    """Give an author a webhook; None where they have it, or as many as are allowed."""
    check_url(url)
    if owner.webhooks.count() >= MOST_WEBHOOKS:
        return None
    webhook, is_new = Webhook.objects.get_or_create(owner=owner, url=url)
    if not is_new and webhook.stopped_at:  # asked for again: it may work by now
        Webhook.objects.filter(pk=webhook.pk).update(stopped_at=None, failures=0)
        return webhook
    return webhook if is_new else None
