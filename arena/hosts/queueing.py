"""Queues attempts: at new matches, at matches tried again, and at builds."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from arena.bots.models import Version
from arena.hosts.models import OPEN, Attempt, HeldReport
from arena.hosts.wakeups import send_wake_ups
from arena.matches.models import Match
from arena.queues import nudge


def queue_first_attempts(match_ids: Sequence[int]) -> None:
    """Queue new matches, and wake match hosts once this is committed."""
    Attempt.objects.bulk_create(Attempt(match_id=match_id, number=1) for match_id in match_ids)
    nudge(send_wake_ups)


def queue_next_attempt(match: Match) -> None:
    """Let a match be tried again, as often as a new one."""
    last = Attempt.objects.filter(match=match).aggregate(last=Max("number"))["last"] or 0
    Match.objects.filter(pk=match.pk).update(attempts_allowed=last + settings.ATTEMPTS_ALLOWED)
    Attempt.objects.create(match=match, number=last + 1)
    nudge(send_wake_ups)


def withdraw_attempts(match: Match, reason: str) -> None:
    """Take a match from the host that plays it. Locks attempts before their match, as reports do."""
    Attempt.objects.filter(match=match, state__in=OPEN).update(
        state=Attempt.State.REFUSED, ended_at=Now(), note=f"The match was voided: {reason}"
    )
    HeldReport.objects.filter(match=match).delete()


@transaction.atomic
def request_build(version: Version) -> bool:
    """Queue the build of a version, or start a delayed retry now; return False if it is already queued."""
    Version.objects.select_for_update().get(pk=version.pk)
    waiting = version.build_attempts.filter(state=Attempt.State.QUEUED, sent_at__isnull=False)
    if waiting.update(sent_at=None):
        nudge(send_wake_ups)
        return True
    if version.build_attempts.filter(state__in=OPEN).exists():
        return False
    last = version.build_attempts.aggregate(last=Max("number"))["last"] or 0
    Attempt.objects.create(build=version, number=last + 1)
    nudge(send_wake_ups)
    return True
