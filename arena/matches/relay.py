"""Puts on the queues what the database says must be there. A message lost or sent twice does no harm."""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

from celery.exceptions import OperationalError as PublishError
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Max, QuerySet
from django.db.models.functions import Now
from kombu.exceptions import KombuError
from redis import RedisError

from arena.celery import ARENA_QUEUE, CALLS_QUEUE, QUEUES, app
from arena.health import redis_client
from arena.matches import hosts, tokens
from arena.matches.models import Attempt, MatchSeat, Outbox, WebhookDelivery
from workers.runtimes.registry import SCRIPTS
from workers.settings import MATCHES_QUEUE, QUEUE_PREFIX, RUN_ATTEMPT

log = logging.getLogger(__name__)

BATCH = 100
DELIVER = "arena.matches.tasks.deliver"
CALL_WEBHOOKS = "arena.matches.tasks.call_webhooks"
QUEUE_OF: dict[str, str] = {}
"""The queue on which owed work of a kind is done."""
TOGETHER: set[str] = set()
"""Kinds of owed work of which one message stands for all that was never tried."""
BROKER_ERRORS = (PublishError, KombuError, RedisError, OSError)


def nudge(send: Callable[[], object]) -> None:
    """Send once the present transaction is committed; should that fail, the relay's own round will send."""
    transaction.on_commit(forgiving(send), robust=True)


def forgiving(send: Callable[[], object]) -> Callable[[], None]:
    def send_or_leave_it() -> None:
        try:
            send()
        except (*BROKER_ERRORS, DatabaseError) as error:
            log.warning("the queue does not answer; the relay will send later: %s", error)

    return send_or_leave_it


def send_everything() -> int:
    """Send all that is due: the relay's round."""
    forget_lost_wake_ups()
    return until_empty(send_wake_ups) + until_empty(send_owed)


def until_empty(send: Callable[[], int]) -> int:
    total = 0
    while count := send():
        total += count
    return total


@transaction.atomic
def send_wake_ups() -> int:
    """Wake match hosts for a batch of queued attempts, the oldest first; several relays share the work."""
    unsent = Attempt.objects.select_for_update(skip_locked=True).filter(
        state=Attempt.State.QUEUED, sent_at=None
    )
    ids = list(unsent.order_by("id").values_list("pk", flat=True)[:BATCH])
    if ids:
        with app.producer_pool.acquire(block=True) as producer:
            for pk in ids:
                app.send_task(
                    RUN_ATTEMPT,
                    [pk, tokens.sign_attempt(pk)],
                    queue=MATCHES_QUEUE,
                    producer=producer,
                    retry=False,
                )
        Attempt.objects.filter(pk__in=ids).update(sent_at=Now())
    return len(ids)


@transaction.atomic
def send_owed() -> int:
    """Hand a batch of due work to the arena's workers; it is due again later, unless it is done by then.

    What goes to a long queue waits here: there it would only be sent again and again.
    """
    long = long_queues()
    due = Outbox.objects.select_for_update(skip_locked=True).filter(due_at__lte=Now())
    due = due.exclude(kind__in=[kind for kind, queue in QUEUE_OF.items() if queue in long])
    rows = list(due.order_by("due_at").values_list("pk", "tries", "kind")[:BATCH])
    if rows:
        for_all = {kind: pk for pk, tries, kind in rows if kind in TOGETHER and not tries}
        send_deliveries([row for row in rows if row[1] or for_all.get(row[2], row[0]) == row[0]])
        again = Now() + timedelta(seconds=settings.RESEND_SECONDS)
        Outbox.objects.filter(pk__in=[pk for pk, _, _ in rows]).update(due_at=again)
    return len(rows)


def send_deliveries(owed: Sequence[tuple[int, int, str]]) -> None:
    """Hand work, by its id, how often it was tried, and its kind, to the workers of its queue."""
    with app.producer_pool.acquire(block=True) as producer:
        for pk, tries, kind in owed:
            queue = QUEUE_OF.get(kind, ARENA_QUEUE)
            app.send_task(DELIVER, [pk, tries], queue=queue, producer=producer, retry=False)


def send_calls(owners: Sequence[int] | None = None) -> int:
    """Wake a worker for each of these owners of webhooks, or for all who have calls due."""
    if owners is None:
        due = WebhookDelivery.objects.due().values_list("webhook__owner", flat=True).order_by()
        owners = [] if CALLS_QUEUE in long_queues() else list(due.distinct()[:BATCH])
    with app.producer_pool.acquire(block=True) as producer:
        for owner in owners:
            app.send_task(CALL_WEBHOOKS, [owner], queue=CALLS_QUEUE, producer=producer, retry=False)
    return len(owners)


def long_queues() -> set[str]:
    """Return the queues that have enough messages for now."""
    return {queue for queue in QUEUES if queue_depth(queue) >= BATCH}


def forget_lost_wake_ups() -> int:
    """Find queued attempts whose message is gone, so that it is sent again; return how many.

    The queue is first in, first out: a message is gone when the queue is empty, or when one that was sent
    well after it has been taken. So a long queue is never sent twice.
    """
    patience = timedelta(seconds=settings.RESEND_SECONDS)
    waiting = possible(Attempt.objects.filter(state=Attempt.State.QUEUED, sent_at__lt=Now() - patience))
    if not waiting.exists():
        return 0
    if queue_depth(MATCHES_QUEUE):
        recent = Attempt.objects.filter(started_at__gt=Now() - timedelta(minutes=10))
        newest = recent.aggregate(newest=Max("sent_at"))["newest"]
        if newest is None:
            return 0
        waiting = waiting.filter(sent_at__lt=newest - patience)
    count = waiting.update(sent_at=None)
    if count:
        log.warning("%s wake-ups were lost or refused and are sent again", count)
    return count


def possible(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Leave out what no host can do at present: it would be refused again and again."""
    if not (unable := hosts.unable()):
        return attempts
    seats = MatchSeat.objects.filter(version__language__in=unable.intersection(SCRIPTS))
    return attempts.exclude(build__language__in=unable).exclude(match__in=seats.values("match"))


def queue_depth(queue: str) -> int:
    """Return how many messages wait in a queue."""
    with redis_client() as client:
        return int(client.llen(f"{QUEUE_PREFIX}{queue}"))
