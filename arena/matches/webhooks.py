"""Calls to authors' own addresses when a match of theirs is over: signed, tried again, never inwards."""

import hashlib
import hmac
import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.conf import settings

from arena.accounts.models import User
from arena.matches import outbox, relay
from arena.matches.addresses import check_url
from arena.matches.models import Match, MatchSeat, Webhook, WebhookDelivery
from arena.matches.visibility import may_see

EVENT = "match.finished"
MOST_WEBHOOKS = 5


def announce(matches: Iterable[Match]) -> None:
    """Owe a call to each webhook of the authors who had a bot in a finished match."""
    if Webhook.objects.filter(stopped_at=None).exists():  # most arenas have none
        for match in matches:
            announce_one(match)


def announce_one(match: Match) -> None:
    if match.state != Match.State.FINISHED:
        return
    owners = MatchSeat.objects.filter(match=match).values("version__bot__owner")
    found = Webhook.objects.filter(owner__in=owners, stopped_at=None).select_related("owner")
    webhooks = [webhook for webhook in found if may_see(match, webhook.owner)]
    if not webhooks:
        return
    body = json.dumps({"event": EVENT, "match": describe(match)}, separators=(",", ":"))
    for webhook in webhooks:
        _delivery, is_new = WebhookDelivery.objects.get_or_create(
            webhook=webhook, event=EVENT, subject=match.public_id, defaults={"body": body}
        )
        if is_new:
            relay.nudge(partial(relay.send_calls, [webhook.owner_id]))


def owe_announcing(purpose: str, contest_id: int) -> None:
    """Have the matches of a contest announced to those who may see more of them from now on."""
    outbox.owe("announce", {"purpose": purpose, "contest": contest_id})


@outbox.handler("announce")
def announce_contest(payload: dict[str, Any]) -> None:
    announce(Match.objects.filter(purpose=payload["purpose"], purpose_id=payload["contest"]).order_by("pk"))


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


def add(owner: User, url: str) -> Webhook | None:
    """Give an author a webhook; None where they have it, or as many as are allowed."""
    check_url(url)
    if owner.webhooks.count() >= MOST_WEBHOOKS:
        return None
    webhook, is_new = Webhook.objects.get_or_create(owner=owner, url=url)
    if not is_new and webhook.stopped_at:  # asked for again: it may work by now
        Webhook.objects.filter(pk=webhook.pk).update(stopped_at=None, paused_until=None, failures=0)
        return webhook
    return webhook if is_new else None
