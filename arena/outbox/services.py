"""Work that a transaction leaves behind: owed in the transaction, done at least once after it."""

import logging
from datetime import timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from arena.celery import app
from arena.listeners import HANDLERS
from arena.outbox import queries
from arena.outbox.models import Outbox
from arena.outbox.queries import Work
from arena.queues import BATCH, long_queues, nudge
from arena.redis_client import redis_client
from workers.logs import concerning

log = logging.getLogger(__name__)

Payload = dict[str, Any]
DELIVER = "arena.outbox.tasks.deliver"
LONGEST_PAUSE = 3600
TOGETHER_SECONDS = 0.5
"""For work that is done together, at most one message is sent in this time."""
RECENTLY_SENT = "aztlan:outbox:sent:{kind}"
AWAITED = "aztlan:outbox:awaited:{kind}"


class GiveUpError(Exception):
    """Raised by a handler when a retry would not help."""


class TryLaterError(Exception):
    """Raised by a handler when something that it needs is unavailable, through no fault of ours."""


class Message(NamedTuple):
    """A message to a worker, which names a row and which try it is."""

    outbox_id: int
    tries: int
    kind: str


def owe(kind: str, payload: Payload, after: float = 0) -> None:
    """Store work to be done soon after the commit, or this many seconds later."""
    together = HANDLERS[kind].together
    due_in = after or (TOGETHER_SECONDS if together else settings.RESEND_SECONDS)
    due_at = Now() + timedelta(seconds=due_in)
    owed = Outbox.objects.create(kind=kind, payload=payload, due_at=due_at)
    if after:
        return  # `send_due` sends it when it is due
    message = Message(owed.pk, 0, kind)
    nudge((lambda: send_once_in_a_while(message)) if together else (lambda: send([message])))


def send_once_in_a_while(message: Message) -> None:
    """Send a message now or, if one was sent a moment ago, one a little later for all work since."""
    moment = int(TOGETHER_SECONDS * 1000)
    with redis_client() as client:
        if client.set(RECENTLY_SENT.format(kind=message.kind), "1", px=moment, nx=True):
            send([message])
        elif client.set(AWAITED.format(kind=message.kind), "1", px=moment, nx=True):
            send([message], after=TOGETHER_SECONDS)


@transaction.atomic
def send_due() -> int:
    """Hand a batch of due work to the workers; it becomes due again later, unless it is done by then.

    Work for a long queue waits here: otherwise it would be sent there again and again.
    """
    busy = long_queues()
    due = Outbox.objects.select_for_update(skip_locked=True).filter(due_at__lte=Now())
    due = due.exclude(kind__in=[kind for kind, handler in HANDLERS.items() if handler.queue in busy])
    rows = [Message(*row) for row in due.order_by("due_at").values_list("pk", "tries", "kind")[:BATCH]]
    if rows:
        # One message is enough for all new work of a kind that is done together.
        for_all = {row.kind: row for row in rows if HANDLERS[row.kind].together and not row.tries}
        send([row for row in rows if row.tries or for_all.get(row.kind, row) == row])
        again = Now() + timedelta(seconds=settings.RESEND_SECONDS)
        Outbox.objects.filter(pk__in=[row.outbox_id for row in rows]).update(due_at=again)
    return len(rows)


def send(messages: list[Message], after: float = 0) -> None:
    """Hand work to the workers of its queue, to be started after this many seconds."""
    with app.producer_pool.acquire(block=True) as producer:
        for message in messages:
            queue = HANDLERS[message.kind].queue
            arguments = [message.outbox_id, message.tries]
            app.send_task(
                DELIVER, arguments, queue=queue, producer=producer, retry=False, countdown=after or None
            )


def deliver(outbox_id: int, tries: int) -> bool:
    """Do owed work and delete it. Of several messages for the same try, only one does it."""
    lease_end = Now() + timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
    if not Outbox.objects.filter(pk=outbox_id, tries=tries).update(tries=tries + 1, due_at=lease_end):
        return False  # done already, or another worker took this try
    owed = Outbox.objects.get(pk=outbox_id)
    work = Work(owed.pk, owed.kind, owed.payload, owed.tries)
    if not tries and HANDLERS[work.kind].together:
        works = [work, *queries.take_new(work.kind, BATCH)]
        return do_together(sorted(works, key=lambda one: one.id))
    return do(work)


def do_together(works: list[Work]) -> bool:
    """Do work of one kind at once, or one by one if that fails: one bad row must not hold up the others."""
    try:
        HANDLERS[works[0].kind]([work.payload for work in works])
    except Exception:
        log.warning("%s rows of kind %s are done one by one", len(works), works[0].kind, exc_info=True)
        done = [do(work) for work in works]
        return all(done)
    Outbox.objects.filter(pk__in=[work.id for work in works]).delete()
    return True


def do(work: Work) -> bool:
    handler, payload = HANDLERS[work.kind], work.payload
    try:
        with concerning(**{"match_id": payload["match"]} if "match" in payload else {}):
            handler([payload] if handler.together else payload)
    except GiveUpError as error:
        log.warning("%s is given up: %s", work, error)
    except Exception as error:  # whatever it was, the work is still owed
        pause = min(settings.RESEND_SECONDS * 2 ** (work.tries - 1), LONGEST_PAUSE)
        Outbox.objects.filter(pk=work.id).update(
            due_at=Now() + timedelta(seconds=pause), error=f"{type(error).__name__}: {error}"[:2000]
        )
        level = logging.INFO if isinstance(error, TryLaterError) else logging.ERROR
        log.log(
            level, "%s failed and will be tried again in %s s", work, pause, exc_info=level == logging.ERROR
        )
        return False
    Outbox.objects.filter(pk=work.id).delete()
    return True
