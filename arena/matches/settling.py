"""What follows from a match that is over. Each purpose registers its own function."""

from collections.abc import Callable
from typing import Any

from arena.matches import outbox
from arena.matches.models import Match

Settler = Callable[[int], None]
_settlers: dict[str, Settler] = {}
_listeners: list[Settler] = []


def register(purpose: str, settler: Settler) -> None:
    """Have matches of this purpose settled by a function of their id, which must be safe to call twice."""
    _settlers[str(purpose)] = settler


def listen(listener: Settler) -> None:
    """Have a function called for every match that is settled; it must be safe to call twice."""
    _listeners.append(listener)


def owe_settling(match_id: int) -> None:
    """Have a match settled once the present transaction is committed."""
    outbox.owe("settle", {"match": match_id})


@outbox.handler("settle")
def settle(payload: dict[str, Any]) -> None:
    match_id = int(payload["match"])
    purpose = Match.objects.values_list("purpose", flat=True).get(pk=match_id)
    if settler := _settlers.get(purpose):
        settler(match_id)
    for listener in _listeners:
        listener(match_id)
