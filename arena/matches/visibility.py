"""Who may see what of a match, and when: the one policy, which every page and API view asks (docs/adr/0013).

- Nobody sees a result before its time. If a contest has a spectators' delay (`delay`), a report waits as a
  HeldReport; until it is published, the match counts as running for everybody, staff included.
- What an organiser holds back is shown to those to whom it is released (`held_back`); so are the pairings
  of a round that follow from it (`known_to`).
- A seed, and whatever reveals it, is secret as long as a match with that seed is still to be played.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from arena.accounts.permissions import Person
from arena.listeners import Happening, publish
from arena.matches.models import STILL_TO_PLAY, Match


def delay(purpose: str, contest_id: int | None) -> int:
    """Return a contest's spectators' delay in seconds, which applies to matches and results."""
    return contest_delays(purpose, [contest_id]).get(contest_id, 0) if contest_id is not None else 0


def delays(matches: Iterable[Match]) -> dict[int, int]:
    """Return the delay of each match, by id, with one query per purpose."""
    contests: dict[str, dict[int, int]] = {}
    for match in matches:
        if match.purpose_id is not None:
            contests.setdefault(match.purpose, {})[match.pk] = match.purpose_id
    found: dict[int, int] = {}
    for purpose, by_match in contests.items():
        known = contest_delays(purpose, sorted(set(by_match.values())))
        found |= {pk: known.get(contest_id, 0) for pk, contest_id in by_match.items()}
    return found


def contest_delays(purpose: str, contest_ids: Sequence[int]) -> dict[int, int]:
    """Return the spectators' delays of contests of one purpose, in seconds."""
    found: dict[int, int] = {}
    for answer in publish(Happening.RESULTS_DELAYED, contest_ids, purpose=purpose):
        found |= answer
    return found


def may_see(match: Match, person: Person) -> bool:
    return not held_back([match], person)


def held_back(matches: Iterable[Match], person: Person) -> set[int]:
    """Return the ids of the matches whose course and result this person may not see yet."""
    by_purpose: dict[str, list[int]] = {}
    for match in matches:
        by_purpose.setdefault(match.purpose, []).append(match.pk)
    hidden: set[int] = set()
    for purpose, ids in by_purpose.items():
        hidden |= set().union(*publish(Happening.RESULTS_HELD_BACK, ids, person, purpose=purpose))
    return hidden


def known_to(person: Person, matches: QuerySet[Match]) -> QuerySet[Match]:
    """Leave out matches whose pairing would reveal what is held back from this person, such as a final."""
    for purpose in Match.Purpose.values:
        for unknown in publish(Happening.PAIRINGS_HELD_BACK, person, purpose=purpose):
            matches = matches.filter(~Q(purpose=purpose) | ~unknown)
    return matches


def conceal(matches: Sequence[Match], person: Person) -> Sequence[Match]:
    """Blank out, in memory, what this person may not see yet of matches and their seats."""
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
    """Return whether its seed must stay secret: a match with this seed is still to be played."""
    return Match.objects.filter(seed_commitment=match.seed_commitment, state__in=STILL_TO_PLAY).exists()
