"""Starts, follows and ends promotion tests.

Whoever changes a test locks its bot first, as activating a version does.
"""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version
from arena.bots.services import activate
from arena.hosts.validation import overran_twice
from arena.matches.models import Match, MatchSeat
from arena.matches.services import void_match
from arena.promotions import planning, telling
from arena.promotions.models import PromotionSet, PromotionTest
from arena.stored_sentences import (
    CAN_NO_LONGER_PLAY,
    FAILS_ALWAYS,
    GAINS_TOO_LITTLE,
    IS_BETTER,
    NEW_CANDIDATE,
    NOT_ACTIVE_ANY_MORE,
    NOT_TOLD_APART,
    TOOK_TOO_LONG,
    stored,
)
from contests.promotion import Course, CourseEnding, SetState, follow_sets
from contests.sequential import Plan, set_result

State = PromotionTest.State


@transaction.atomic
def start(version_id: int) -> PromotionTest:
    """Test a validated version against the active one, or go on with a test that was not decided.

    A test of another version of the bot stops. A version that was rejected needs twice the evidence for each
    further try; otherwise trying often enough would promote anything.
    """
    version = Version.objects.get(pk=version_id)
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    version.refresh_from_db()
    baseline = check_may_start(bot, version)
    running = PromotionTest.objects.filter(bot=bot, state=State.RUNNING).first()
    if running and running.version_id == version_id:
        return running
    if running:
        end(running, State.STOPPED, stored(NEW_CANDIDATE, version.number))
    earlier = PromotionTest.objects.filter(version=version).order_by("-pk")
    latest = earlier.filter(baseline=baseline).first()
    if latest and latest.state in {State.STOPPED, State.UNDECIDED}:
        return go_on(latest)
    plan = Plan(elo1=settings.PROMOTION_ELO)
    return PromotionTest.objects.create(
        bot=bot,
        version=version,
        baseline=baseline,
        elo0=plan.elo0,
        elo1=plan.elo1,
        alpha=plan.alpha / 2 ** earlier.filter(state=State.REJECTED).count(),
        beta=plan.beta,
        most_sets=settings.PROMOTION_SETS,
    )


def check_may_start(bot: Bot, version: Version) -> Version:
    """Return the active version that it would be tested against."""
    if bot.disqualified_at:
        raise RefusedError("disqualified", _("This bot is disqualified: %s") % bot.disqualified_reason)
    if version.status != Status.VALIDATED:
        raise RefusedError(
            "not-validated", _("Only a validated version that is not active can be tested against it.")
        )
    if bot.active_version is None:
        raise RefusedError(
            "no-active-version", _("There is no active version to test against. Activate one.")
        )
    return bot.active_version


def go_on(test: PromotionTest) -> PromotionTest:
    """Resume a test with all of its evidence; one that was undecided gets as many sets again."""
    more = settings.PROMOTION_SETS if test.state == State.UNDECIDED else 0
    PromotionTest.objects.filter(pk=test.pk).update(
        state=State.RUNNING, reason="", ended_at=None, most_sets=F("most_sets") + more
    )
    follow(test.pk)  # sets that had begun before it stopped may have decided it
    test.refresh_from_db()
    return test


@transaction.atomic
def stop(version_id: int) -> None:
    """Stop the running test of a version, as its author; the active version stays."""
    version = Version.objects.get(pk=version_id)
    Bot.objects.select_for_update().get(pk=version.bot_id)
    running = PromotionTest.objects.filter(version=version, state=State.RUNNING).first()
    if running is None:
        raise RefusedError("not-running", _("No test of this version is running."))
    end(running, State.STOPPED, gettext_noop("Its author stopped the test."))


def settle(matches: Sequence[Match]) -> None:
    """Count the sets of matches that are over; safe to run twice."""
    changed = {match.duplicate_set_id for match in matches if match.duplicate_set_id}
    tests = PromotionSet.objects.filter(duplicate_set__in=changed).order_by("test_id")
    for test_id in tests.values_list("test_id", flat=True).distinct():
        follow(test_id, changed)
    planning.plan_sets()


def keep_going() -> int:
    """Stop the tests whose versions can no longer be compared, and plan sets; return how many."""
    for test in PromotionTest.objects.filter(state=State.RUNNING).select_related("bot", "version"):
        if why_pointless(test):
            follow(test.pk)
    return planning.plan_sets()


def follow_activation(bot_id: int) -> None:
    """End the running test of a bot whose active version has just changed."""
    for test_id in PromotionTest.objects.filter(bot=bot_id, state=State.RUNNING).values_list("pk", flat=True):
        follow(test_id)


@transaction.atomic
def follow(test_id: int, changed: set[int] | None = None) -> None:
    """Bring a test up to date with its matches, all or those of some sets, and end it if it is over."""
    bot_id = PromotionTest.objects.values_list("bot_id", flat=True).get(pk=test_id)
    Bot.objects.select_for_update().get(pk=bot_id)
    test = PromotionTest.objects.select_for_update(of=("self",)).get(pk=test_id)
    hung = derive_sets(test, changed)
    course = course_of(test)
    evidence = course.evidence
    test.sets, test.log_better, test.log_not_better = (
        evidence.sets,
        evidence.log_better,
        evidence.log_not_better,
    )
    test.save(update_fields=["sets", "log_better", "log_not_better"])
    if not test.is_running:
        return
    if test.bot.active_version_id == test.version_id:
        end(test, State.PROMOTED, gettext_noop("Its author activated it."), is_news=False)
    elif reason := why_pointless(test):
        end(test, State.STOPPED, reason)
    elif hung:
        reason = stored(TOOK_TOO_LONG, settings.ATTEMPT_SECONDS // 60)
        end(test, State.REJECTED, reason)
    else:
        conclude(test, course)


def course_of(test: PromotionTest) -> Course:
    """Fold the sets of a test."""
    sets = PromotionSet.objects.filter(test=test).order_by("number")
    return follow_sets((one.played for one in sets), test.plan, test.most_sets)


def why_pointless(test: PromotionTest) -> str:
    """Return why candidate and active version can no longer be compared; empty if they can."""
    if test.bot.disqualified_at:
        return gettext_noop("The bot is disqualified.")
    if test.bot.active_version_id != test.baseline_id:
        return stored(NOT_ACTIVE_ANY_MORE, test.baseline.number)
    if test.version.status != Status.VALIDATED:
        return stored(CAN_NO_LONGER_PLAY, test.version.number)
    return ""


def derive_sets(test: PromotionTest, changed: set[int] | None) -> bool:
    """Derive the sets of a test from their matches; return whether a match took too long twice."""
    sets = PromotionSet.objects.filter(test=test)
    wanted = sets if changed is None else sets.filter(duplicate_set__in=changed)
    matches = Match.objects.filter(duplicate_set__in=wanted.values("duplicate_set"))
    by_set: dict[int, list[Match]] = {}
    for match in matches.prefetch_related("seats_taken").order_by("pk"):
        by_set.setdefault(match.duplicate_set_id or 0, []).append(match)
    hung = False
    for one in wanted:
        played = by_set[one.duplicate_set_id]
        for match in played:
            if match.state == Match.State.SET_ASIDE:
                hung = hung or overran_twice(match)
                void_match(match.pk, gettext_noop("The match hosts could not play it."))
                match.state = Match.State.VOIDED
        derive(test, one, played)
    PromotionSet.objects.bulk_update(wanted, ["state", "result", "failed"])
    return hung


def derive(test: PromotionTest, one: PromotionSet, matches: Sequence[Match]) -> None:
    """Say of a set what its matches say: void if one of them is, counted once all are finished."""
    one.state, one.result, one.failed = SetState.OPEN, None, False
    states = {match.state for match in matches}
    if Match.State.VOIDED in states:
        one.state = SetState.VOID
    elif states == {Match.State.FINISHED}:
        tables = [compared(test, match) for match in matches]
        one.state = SetState.COUNTED
        one.result = set_result(
            [([seat.version_id == test.version_id for seat in table], places(table)) for table in tables]
        )
        own = [seat for table in tables for seat in table if seat.version_id == test.version_id]
        one.failed = all(seat.fault for seat in own)


def compared(test: PromotionTest, match: Match) -> list[MatchSeat]:
    """Return the seats of the two versions; what the others did does not matter."""
    two = {test.version_id, test.baseline_id}
    return [seat for seat in match.seats_taken.all() if seat.version_id in two]


def places(seats: Sequence[MatchSeat]) -> list[int]:
    return [seat.placement or 0 for seat in seats]


def conclude(test: PromotionTest, course: Course) -> None:
    """Do what the evidence says, if it says enough."""
    numbers = {"new": test.version.number, "old": test.baseline.number, "sets": course.evidence.sets}
    match course.ending:
        case CourseEnding.BETTER:
            end(test, State.PROMOTED, stored(IS_BETTER, numbers))
        case CourseEnding.NOT_BETTER:
            values = {**numbers, "elo": round(test.elo1)}
            end(test, State.REJECTED, stored(GAINS_TOO_LITTLE, values))
        case CourseEnding.FAILING:
            end(test, State.REJECTED, failure_of(test))
        case CourseEnding.UNDECIDED:
            end(test, State.UNDECIDED, stored(NOT_TOLD_APART, numbers))


def failure_of(test: PromotionTest) -> str:
    """Return how the candidate last failed."""
    seats = MatchSeat.objects.filter(
        version=test.version, match__purpose=Match.Purpose.PROMOTION, match__purpose_id=test.pk
    ).exclude(fault="")
    last = seats.order_by("-match_id").first()
    with override("en"):
        said = f"{last.get_fault_display()}. {last.fault_reason}".strip() if last else ""
    return stored(FAILS_ALWAYS, said)


def end(test: PromotionTest, state: str, reason: str, is_news: bool = True) -> None:
    """End a running test. Sets that no host has begun are withdrawn; the others are played and counted.

    Otherwise whoever watches a match could stop the test before it counts.
    """
    PromotionTest.objects.filter(pk=test.pk).update(state=state, reason=reason, ended_at=Now())
    test.refresh_from_db()
    waiting = Match.objects.filter(duplicate_set__promotion_set__test=test, state=Match.State.QUEUED)
    begun = Match.objects.filter(duplicate_set__promotion_set__test=test, started_at__isnull=False)
    waiting = waiting.exclude(duplicate_set__in=begun.values("duplicate_set"))
    for match_id in waiting.order_by("pk").values_list("pk", flat=True):
        void_match(match_id, gettext_noop("The promotion test is over."))
    if state == State.PROMOTED and test.bot.active_version_id != test.version_id:
        activate(test.version_id)
    telling.tell(test, is_news)
