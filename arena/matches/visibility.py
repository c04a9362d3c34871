"""Who may see what of a match, and when: the one policy, which every door asks (docs/adr/0013).

- A result is nobody's before its time. Where a contest keeps spectators behind its matches (`delay`), a
  report waits as a HeldReport; until it is published the match is running for everybody, staff included.
- What an organiser holds back is for those to whom it is released (`held_back`), and so is who meets in a
  round that follows from it (`known_to`).
- A seed, and whatever tells it, is secret as long as a match of that seed is still to be played.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Q, QuerySet

from arena.accounts.models import User
from arena.matches.models import Match

Person = User | AnonymousUser
Guard = Callable[[Sequence[int], Person], set[int]]
Delays = Callable[[Sequence[int]], Mapping[int, int]]
Pairings = Callable[[Person], Exists]
_guards: dict[str, Guard] = {}
_pairings: dict[str, Pairings] = {}
_delays: dict[str, Delays] = {}

STILL_TO_PLAY = (Match.State.QUEUED, Match.State.RUNNING, Match.State.SET_ASIDE)


def guard(purpose: str, held_back: Guard) -> None:
    """Have a function say which matches of this purpose, by their numbers, a person may not see yet."""
    _guards[str(purpose)] = held_back


def guard_pairings(purpose: str, unknown: Pairings) -> None:
    """Have a function say of which matches of this purpose a person may not even know who meets."""
    _pairings[str(purpose)] = unknown


def keep_behind(purpose: str, delays: Delays) -> None:
    """Have a function say by how many seconds contests of this purpose, by number, keep spectators behind."""
    _delays[str(purpose)] = delays


def delay(purpose: str, contest_id: int | None) -> int:
    """Return by how many seconds spectators of a contest's matches, and their results, are kept behind."""
    if contest_id is None or purpose not in _delays:
        return 0
    return _delays[purpose]([contest_id]).get(contest_id, 0)


def delays(matches: Iterable[Match]) -> dict[int, int]:
    """Return the delay of each match, by its number: one query for each purpose."""
    contests: dict[str, dict[int, int]] = {}
    for match in matches:
        if match.purpose in _delays and match.purpose_id is not None:
            contests.setdefault(match.purpose, {})[match.pk] = match.purpose_id
    found: dict[int, int] = {}
    for purpose, by_match in contests.items():
        known = _delays[purpose](sorted(set(by_match.values())))
        found |= {pk: known.get(contest_id, 0) for pk, contest_id in by_match.items()}
    return found


def may_see(match: Match, person: Person) -> bool:
    return not held_back([match], person)


def held_back(matches: Iterable[Match], person: Person) -> set[int]:
    """Return the numbers of those matches whose course and result this person may not see yet."""
    asked: dict[str, list[int]] = {}
    for match in matches:
        if match.purpose in _guards:
            asked.setdefault(match.purpose, []).append(match.pk)
    return {pk for purpose, pks in asked.items() for pk in _guards[purpose](pks, person)}


def known_to(person: Person, matches: QuerySet[Match]) -> QuerySet[Match]:
    """Leave out matches whose very pairing tells this person what is held back: a final, before its semis."""
    for purpose, unknown in _pairings.items():
        matches = matches.filter(~Q(purpose=purpose) | ~unknown(person))
    return matches


def conceal(matches: Sequence[Match], person: Person) -> Sequence[Match]:
    """Take out of matches and their seats, as they are in memory, what this person may not see yet."""
    hidden = held_back(matches, person)
    for match in matches:
        if match.pk in hidden:
            match.is_held_back = True
            match.seed = b""
            for seat in match.seated:
                seat.placement = seat.score = seat.fault_step = seat.time_used_ms = None
                seat.fault, seat.strikes = "", 0
    return matches


def seed_is_secret(match: Match) -> bool:
    """Whether its seed must not be told: it, or another match of the same seed, is still to be played."""
    return Match.objects.filter(seed_commitment=match.seed_commitment, state__in=STILL_TO_PLAY).exists()
