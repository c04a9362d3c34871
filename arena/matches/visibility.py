"""Who may see how a match goes or went. Everybody, unless the event that asked for it says otherwise."""

from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser

from arena.accounts.models import User
from arena.matches.models import Match

Person = User | AnonymousUser
_guards: dict[str, Callable[[Match, Person], bool]] = {}


def guard(purpose: str, may_see: Callable[[Match, Person], bool]) -> None:
    """Have matches of this purpose seen only by those for whom the function is true."""
    _guards[str(purpose)] = may_see


def may_see(match: Match, person: Person) -> bool:
    allowed = _guards.get(match.purpose)
    return allowed is None or allowed(match, person)
