"""Who may see how a match goes or went. Everybody, unless the event that asked for it says otherwise."""

from collections.abc import Callable, Iterable, Sequence

from django.contrib.auth.models import AnonymousUser

from arena.accounts.models import User
from arena.matches.models import Match

Person = User | AnonymousUser
Guard = Callable[[Sequence[int], Person], set[int]]
_guards: dict[str, Guard] = {}


def guard(purpose: str, held_back: Guard) -> None:
    """Have a function say which matches of this purpose, by their numbers, a person may not see yet."""
    _guards[str(purpose)] = held_back


def may_see(match: Match, person: Person) -> bool:
    return not held_back([match], person)


def held_back(matches: Iterable[Match], person: Person) -> set[int]:
    """Return the numbers of those matches whose course and result this person may not see yet."""
    asked: dict[str, list[int]] = {}
    for match in matches:
        if match.purpose in _guards:
            asked.setdefault(match.purpose, []).append(match.pk)
    return {pk for purpose, pks in asked.items() for pk in _guards[purpose](pks, person)}


def conceal(matches: Sequence[Match], person: Person) -> Sequence[Match]:
    """Take out of matches and their seats, as they are in memory, what this person may not see yet."""
    hidden = held_back(matches, person)
    for match in matches:
        if match.pk in hidden:
            match.seed = b""
            for seat in match.seated:
                seat.placement = seat.score = seat.fault_step = seat.time_used_ms = None
                seat.fault, seat.strikes = "", 0
    return matches
