"""What follows from a match that is over. Each purpose registers its own function."""

from collections.abc import Callable
from typing import Any

from arena.matches import outbox
from arena.matches.models import Match

Settler = Callable[[Match], None]
_settlers: dict[str, Settler] = {}
_listeners: list[Settler] = []


def register(purpose: str, settler: Settler) -> None:
    """Have matches of this purpose settled by a function, which must be safe to call twice."""
    _settlers[str(purpose)] = settler


def listen(listener: Settler) -> None:
    """Have a function called for every match that is settled; it must be safe to call twice."""
    _listeners.append(listener)


def owe_settling(match_id: int) -> None:
    """Have a match settled once the present transaction is committed."""
    outbox.owe("settle", {"match": match_id})


@outbox.handler("settle")
def settle(payload: dict[str, Any]) -> None:
    match = Match.objects.get(pk=int(payload["match"]))
    if settler := _settlers.get(match.purpose):
        settler(match)
    for listener in _listeners:
        listener(match)
