"""What follows from a match that is over. Each purpose registers its own function."""

from collections.abc import Callable, Sequence
from typing import Any

from arena.matches import outbox
from arena.matches.models import Match

Settler = Callable[[Sequence[Match]], None]
_settlers: dict[str, Settler] = {}
_listeners: list[Settler] = []


def register(purpose: str, settler: Settler) -> None:
    """Have matches of this purpose settled by a function, which must be safe to call twice for a match."""
    _settlers[str(purpose)] = settler


def each(settle_one: Callable[[Match], None]) -> Settler:
    """Settle matches one after another."""

    def settle_each(matches: Sequence[Match]) -> None:
        for match in matches:
            settle_one(match)

    return settle_each


def listen(listener: Settler) -> None:
    """Have a function called for all matches that are settled; it must be safe to call twice for a match."""
    _listeners.append(listener)


def owe_settling(match_id: int) -> None:
    """Have a match settled once the present transaction is committed."""
    outbox.owe("settle", {"match": match_id})


@outbox.handler_of_many("settle")
def settle(payloads: Sequence[dict[str, Any]]) -> None:
    matches = list(Match.objects.filter(pk__in=[payload["match"] for payload in payloads]).order_by("pk"))
    for purpose in {match.purpose for match in matches} & _settlers.keys():
        _settlers[purpose]([match for match in matches if match.purpose == purpose])
    for listener in _listeners:
        listener(matches)
