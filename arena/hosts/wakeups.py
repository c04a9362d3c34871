"""Wakes match hosts when the database has something to play or build."""

import logging
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Now

from arena.celery import app
from arena.hosts import services, signing
from arena.hosts.models import Attempt
from arena.matches.models import Match, MatchSeat
from arena.queues import BATCH, queue_depth
from workers import tracing
from workers.runtimes.registry import SCRIPTS
from workers.settings import MATCHES_QUEUE, RUN_ATTEMPT

log = logging.getLogger(__name__)


@transaction.atomic
def send_wake_ups() -> int:
    """Wake match hosts for a batch of queued attempts, oldest first. Several senders can run at once."""
    unsent = (
        Attempt.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(state=Attempt.State.QUEUED, sent_at=None)
        .exclude(match__purpose=Match.Purpose.PLAY)  # hosts ask for tables themselves
    )
    ids = list(unsent.order_by("id").values_list("pk", flat=True)[:BATCH])
    if ids:
        with app.producer_pool.acquire(block=True) as producer:
            for pk in ids:
                app.send_task(
                    RUN_ATTEMPT,
                    [pk, signing.sign_attempt(pk)],
                    queue=MATCHES_QUEUE,
                    producer=producer,
                    retry=False,
                )
        Attempt.objects.filter(pk__in=ids).update(sent_at=Now())
        if tracing.is_on():
            note_wake_ups(ids)
    return len(ids)


def note_wake_ups(ids: list[int]) -> None:
    """Write into the matches' traces how long their attempts waited to be sent."""
    for attempt in Attempt.objects.filter(pk__in=ids, match__isnull=False).select_related("match"):
        if attempt.match:
            with tracing.span("wake-up", attempt.match.public_id, attempt.created_at.timestamp()):
                pass


def forget_lost_wake_ups() -> int:
    """Find queued attempts whose message is lost, so that it is sent again; return how many.

    The queue is first in, first out: a message is lost if the queue is empty, or if one that was sent well
    after it has been taken. So a long queue is never sent twice.
    """
    patience = timedelta(seconds=settings.RESEND_SECONDS)
    waiting = possible(Attempt.objects.filter(state=Attempt.State.QUEUED, sent_at__lt=Now() - patience))
    if not waiting.exists():
        return 0
    if queue_depth(MATCHES_QUEUE):
        since = Now() - timedelta(minutes=10)
        # What began since then still runs or has ended since, and of those there are indexes.
        begun = Q(state=Attempt.State.RUNNING) | Q(ended_at__gt=since)
        recent = Attempt.objects.filter(begun, started_at__gt=since)
        newest = recent.aggregate(newest=Max("sent_at"))["newest"]
        if newest is None:
            return 0
        waiting = waiting.filter(sent_at__lt=newest - patience)
    count = waiting.update(sent_at=None)
    if count:
        log.warning("%s wake-ups were lost or refused and will be sent again", count)
    return count


def possible(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Leave out what no host can do at the moment: it would be refused again and again."""
    if not (unable := services.unable()):
        return attempts
    scripts = sorted(unable.intersection(SCRIPTS))
    seats = MatchSeat.objects.filter(version__language__in=scripts)
    attempts = attempts.exclude(build__language__in=unable).exclude(match__in=seats.values("match"))
    return attempts.exclude(worlds__languages__overlap=scripts)
