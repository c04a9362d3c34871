"""Settles matches that are over: `arena.listeners` says who is told."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from arena.listeners import Happening, publish
from arena.matches.models import Match
from arena.outbox import services as outbox
from workers import tracing


def owe_settling(match_id: int) -> None:
    """Have a match settled once the current transaction is committed."""
    outbox.owe("settle", {"match": match_id})


def settle(payloads: Sequence[dict[str, Any]]) -> None:
    """Settle matches that are over; safe to run twice for a match."""
    matches = list(Match.objects.filter(pk__in=[payload["match"] for payload in payloads]).order_by("pk"))
    with ExitStack() as spans:
        for match in matches if tracing.is_on() else ():
            owed_at = match.finished_at.timestamp() if match.finished_at else None
            with tracing.span("outbox", match.public_id, owed_at):
                pass  # it lasted until now
            spans.enter_context(tracing.span("settle", match.public_id))
        for purpose in dict.fromkeys(match.purpose for match in matches):
            publish(
                Happening.MATCHES_OVER,
                [match for match in matches if match.purpose == purpose],
                purpose=purpose,
            )
