"""Work that a transaction leaves to be done after it: owed in the transaction, done at least once."""

import json
import logging
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from threading import Lock, Timer
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models.functions import Now

from arena.celery import ARENA_QUEUE
from arena.matches import relay
from arena.matches.models import Outbox
from arena.sql import ask, run
from workers.logs import concerning

log = logging.getLogger(__name__)

Payload = dict[str, Any]
Handler = Callable[[Payload], None]
HandlerOfMany = Callable[[Sequence[Payload]], None]
LONGEST_PAUSE = 3600
TOGETHER_SECONDS = 0.5
"""A worker is sent for so often at most, for kinds of work that are done together."""
_handlers: dict[str, Handler] = {}
_together: dict[str, HandlerOfMany] = {}
_sent: dict[str, float] = {}
"""When a worker was last sent for, by the kinds of work that are done together."""
_newest: dict[str, int] = {}
"""The newest work of those kinds for which a worker will be sent for."""
_lock = Lock()

OWE = """
    insert into matches_outbox (kind, payload, due_at, tries, error, created_at)
    values (%s, %s, statement_timestamp() + make_interval(secs => %s), 0, '', statement_timestamp())
    returning id
"""
TAKE = """
    update matches_outbox
    set tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => %s)
    where id = %s and tries = %s
    returning id, kind, payload, tries
"""
TAKE_ALIKE = """
    update matches_outbox
    set tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => %s)
    where id in (
        select id from matches_outbox where kind = %s and tries = 0
        order by id limit %s for update skip locked
    )
    returning id, kind, payload, tries
"""
STRIKE_OFF = "delete from matches_outbox where id = any (%s)"


class GiveUpError(Exception):
    """Raised by a handler when trying again is of no use."""


class TryLaterError(Exception):
    """Raised by a handler when what it needs is not there now, through no fault of ours."""


class Work(NamedTuple):
    """Work that was taken, for the so manieth time."""

    id: int
    kind: str
    text: str
    tries: int

    @property
    def payload(self) -> Payload:
        payload: Payload = json.loads(self.text)
        return payload

    def __str__(self) -> str:
        return f"{self.kind} {self.text}"


def handler(kind: str, queue: str = ARENA_QUEUE) -> Callable[[Handler], Handler]:
    """Name the function that does owed work of a kind, and the queue of the workers that run it.

    It may be called twice for the same work.
    """

    def register(function: Handler) -> Handler:
        _handlers[kind] = function
        relay.QUEUE_OF[kind] = queue
        return function

    return register


def handler_of_many(kind: str) -> Callable[[HandlerOfMany], HandlerOfMany]:
    """Name the function that does all work of a kind that is owed. Where it fails, it gets each alone."""

    def register(function: HandlerOfMany) -> HandlerOfMany:
        _together[kind] = function
        relay.TOGETHER.add(kind)
        relay.QUEUE_OF[kind] = ARENA_QUEUE
        _handlers[kind] = lambda payload: function([payload])
        return function

    return register


def owe(kind: str, payload: Payload, after: float = 0) -> None:
    """Write the work down; it is done soon after the commit, or so many seconds later."""
    if after:
        ask(OWE, [kind, json.dumps(payload), after])
        return  # the relay's round sends it when it is due
    due_again = TOGETHER_SECONDS if kind in _together else settings.RESEND_SECONDS
    [[pk]] = ask(OWE, [kind, json.dumps(payload), due_again])
    relay.nudge(lambda: send(kind, pk))


def send(kind: str, outbox_id: int) -> None:
    """Send for a worker: at once, or, where one was sent for a moment ago, soon for all that is owed then."""
    if kind not in _together:
        relay.send_deliveries([(outbox_id, 0, kind)])
        return
    with _lock:
        pause = _sent.get(kind, 0) + TOGETHER_SECONDS - time.monotonic()
        is_awaited = kind in _newest
        _newest[kind] = outbox_id
    if is_awaited:
        return
    if pause <= 0:
        send_newest(kind)
        return
    timer = Timer(pause, relay.forgiving(lambda: send_newest(kind)))
    timer.daemon = True  # should this process end before, the relay's round sends
    timer.start()


def send_newest(kind: str) -> None:
    """The newest, as whoever took that took all that were owed before it."""
    with _lock:
        newest = _newest.pop(kind)
        _sent[kind] = time.monotonic()
    relay.send_deliveries([(newest, 0, kind)])


def deliver(outbox_id: int, tries: int) -> bool:
    """Do owed work, and strike it off. Of messages that name the same try, one gets to do it."""
    taken = ask(TAKE, [settings.OUTBOX_LEASE_SECONDS, outbox_id, tries])
    if not taken:
        return False
    work = Work(*taken[0])
    if not tries and work.kind in _together:
        alike = ask(TAKE_ALIKE, [settings.OUTBOX_LEASE_SECONDS, work.kind, relay.BATCH])
        return do_together(sorted([work, *(Work(*row) for row in alike)]))
    return do(work)


def do_together(works: list[Work]) -> bool:
    """Do work of one kind at once, or each alone where that fails: the others need not wait for a bad one."""
    try:
        _together[works[0].kind]([work.payload for work in works])
    except Exception:
        log.warning("%s of the kind %s are done one by one", len(works), works[0].kind, exc_info=True)
        done = [do(work) for work in works]
        return all(done)
    run(STRIKE_OFF, [[work.id for work in works]])
    return True


def do(work: Work) -> bool:
    try:
        payload = work.payload
        with concerning(**{"match_id": payload["match"]} if "match" in payload else {}):
            _handlers[work.kind](payload)
    except GiveUpError as error:
        log.warning("%s is given up: %s", work, error)
    except Exception as error:  # whatever it was, the work is still owed
        pause = min(settings.RESEND_SECONDS * 2 ** (work.tries - 1), LONGEST_PAUSE)
        Outbox.objects.filter(pk=work.id).update(
            due_at=Now() + timedelta(seconds=pause), error=f"{type(error).__name__}: {error}"[:2000]
        )
        level = logging.INFO if isinstance(error, TryLaterError) else logging.ERROR
        log.log(level, "%s failed and is tried again in %s s", work, pause, exc_info=level == logging.ERROR)
        return False
    run(STRIKE_OFF, [[work.id]])
    return True
