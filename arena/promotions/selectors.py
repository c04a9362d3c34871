"""Reads: how a test stands, why it waits, and who may see its matches."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from arena.accounts.permissions import Person, accounts_of, is_staff
from arena.bots.models import Bot, Version
from arena.hosts import services as hosts
from arena.promotions import planning
from arena.promotions.models import PromotionSet, PromotionTest
from contests.promotion import Course, PlayedSet, SetState, follow_sets
from contests.sequential import Evidence, elo_of, sets_left


@dataclass(frozen=True)
class ScoreBySeats:
    """The counted sets at tables of one size."""

    seats: int
    sets: int
    score: float

    @property
    def games(self) -> int:
        return self.sets * planning.GAMES

    @property
    def elo(self) -> float:
        return elo_of(self.score)


@dataclass(frozen=True)
class PromotionProgress:
    """How a test stands."""

    test: PromotionTest
    course: Course
    by_seats: list[ScoreBySeats]
    void_sets: int
    waiting: str

    @property
    def evidence(self) -> Evidence:
        return self.course.evidence

    @property
    def games(self) -> int:
        return self.evidence.sets * planning.GAMES

    @property
    def interval(self) -> tuple[float, float]:
        return self.evidence.interval()

    @property
    def sets_left(self) -> int | None:
        """About how many more sets it takes, if results stay as they are; None if that is unknown."""
        if not self.test.is_running:
            return None
        left, most = sets_left(self.evidence, self.test.plan), self.test.most_sets - self.evidence.sets
        return None if left is None else min(left, most)


def latest_test(version: Version) -> PromotionTest | None:
    tests = PromotionTest.objects.filter(version=version).select_related("bot", "version", "baseline")
    return tests.order_by("-pk").first()


def running_test(bot: Bot) -> PromotionTest | None:
    tests = PromotionTest.objects.filter(bot=bot, state=PromotionTest.State.RUNNING)
    return tests.select_related("version", "baseline").first()


def progress_of(test: PromotionTest) -> PromotionProgress:
    sets = list(PromotionSet.objects.filter(test=test).order_by("number"))
    played = [one.played for one in sets]
    course = follow_sets(played, test.plan, test.most_sets)
    void = sum(one.state is SetState.VOID for one in played)
    return PromotionProgress(test, course, by_seats(sets, played), void, why_it_waits(test))


def by_seats(sets: Sequence[PromotionSet], played: Sequence[PlayedSet]) -> list[ScoreBySeats]:
    """Return the score by number of seats, of the sets that count so far."""
    results: dict[int, list[float]] = {}
    for one, said in zip(sets, played, strict=True):
        if said.state is SetState.OPEN:
            break
        if said.state is SetState.COUNTED:
            results.setdefault(one.seats, []).append(said.result)
    return [ScoreBySeats(seats, len(some), sum(some) / len(some)) for seats, some in sorted(results.items())]


def why_it_waits(test: PromotionTest) -> str:
    """Return why no sets are played at the moment; empty if they are, or the test is over."""
    if not test.is_running:
        return ""
    if not hosts.live().filter(paused=False).exists():
        return _("It waits for a match host: none is online.")
    own = PromotionTest.objects.filter(bot__owner=test.bot.owner_id, state=PromotionTest.State.RUNNING)
    before = own.filter(Q(started_at__lt=test.started_at) | Q(started_at=test.started_at, pk__lt=test.pk))
    if before.count() >= planning.TESTS_AT_ONCE:
        return _("It waits for your other tests: %d of them run at a time.") % planning.TESTS_AT_ONCE
    if dict(planning.sets_today({test.bot.owner_id})).get(test.bot.owner_id, 0) >= planning.SETS_A_DAY:
        return _("Your tests have played %d sets in 24 hours, which is the maximum. It goes on later.") % (
            planning.SETS_A_DAY
        )
    return ""


def held_back(match_ids: Sequence[int], person: Person) -> set[int]:
    """Return the matches of tests that are not this person's: they show what its author tries out."""
    if is_staff(person):
        return set()
    own = PromotionSet.objects.filter(
        test__bot__owner__in=accounts_of(person), duplicate_set__matches__in=match_ids
    )
    return set(match_ids) - set(own.values_list("duplicate_set__matches", flat=True))


def unknown_pairings(person: Person) -> Q:
    """Return a condition: the match is of a test that is not this person's."""
    if is_staff(person):
        return Q(pk__in=[])
    own = PromotionTest.objects.filter(pk=OuterRef("purpose_id"), bot__owner__in=accounts_of(person))
    return ~Q(Exists(own))
