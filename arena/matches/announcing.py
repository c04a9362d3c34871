"""Tells authors' webhooks that a match of their bots is over."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings

from arena.matches.models import Match, MatchSeat
from arena.matches.visibility import may_see
from arena.notices.webhooks import has_webhooks, owe_calls, webhooks_of
from arena.outbox import services as outbox

EVENT = "match.finished"


def announce(matches: Iterable[Match]) -> None:
    """Owe a call to each webhook of the authors whose bots played in a finished match."""
    if has_webhooks():  # most arenas have none
        for match in matches:
            announce_one(match)


def announce_one(match: Match) -> None:
    if match.state != Match.State.FINISHED or match.purpose == Match.Purpose.PROMOTION:
        return  # a promotion test has hundreds of matches; its end is announced
    owners = MatchSeat.objects.filter(match=match).values("version__bot__owner")
    webhooks = [webhook for webhook in webhooks_of(owners) if may_see(match, webhook.owner)]
    if webhooks:
        owe_calls(webhooks, EVENT, match.public_id, {"event": EVENT, "match": describe(match)})


def owe_announcing(purpose: str, contest_id: int) -> None:
    """Announce the matches of a contest to those who may see more of them from now on."""
    outbox.owe("announce", {"purpose": purpose, "contest": contest_id})


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
