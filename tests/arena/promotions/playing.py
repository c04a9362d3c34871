"""Plays the sets of a test without a host: who comes first is said, not played."""

from django.utils import timezone

from arena.matches.models import Match
from arena.promotions import planning, services
from arena.promotions.models import PromotionSet, PromotionTest


def play_sets(test: PromotionTest, sets: int, wins: bool = True, fails: bool = False) -> None:
    """Have a running test play so many sets; it may end before."""
    for _ in range(sets):
        test.refresh_from_db()
        if not test.is_running:
            return
        if not open_sets(test):
            planning.plan_sets()
        play_set(open_sets(test)[0], wins, fails)


def open_sets(test: PromotionTest) -> list[PromotionSet]:
    return list(test.planned_sets.filter(state="open").order_by("number"))


def play_set(one: PromotionSet, wins: bool = True, fails: bool = False) -> None:
    matches = matches_of(one)
    for match in matches:
        place_first(match, one.test.version_id if wins else one.test.baseline_id)
        if fails:
            own = match.seats_taken.filter(version=one.test.version_id)
            own.update(fault="crash", fault_reason="it exited with code 1")
    services.settle(matches)


def place_first(match: Match, version_id: int) -> None:
    """Have a match finished with this version first, and the others by their seats."""
    seats = sorted(match.seats_taken.all(), key=lambda seat: (seat.version_id != version_id, seat.seat))
    for place, seat in enumerate(seats, start=1):
        match.seats_taken.filter(pk=seat.pk).update(placement=place)
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(state="finished", started_at=now, finished_at=now)
    match.refresh_from_db()


def matches_of(one: PromotionSet) -> list[Match]:
    return list(one.duplicate_set.matches.order_by("pk"))
