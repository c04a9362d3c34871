"""Work that a transaction leaves to be done after it: owed in the transaction, done at least once."""

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models.functions import Now

from arena.matches import relay
from arena.matches.models import Outbox
from workers.logs import concerning

log = logging.getLogger(__name__)

Handler = Callable[[dict[str, Any]], None]
LONGEST_PAUSE = 3600
_handlers: dict[str, Handler] = {}
# Every match passes through here, and to build these from models takes longer than to run them.
OWE = """
    insert into matches_outbox (kind, payload, due_at, tries, error, created_at)
    values (%s, %s, statement_timestamp() + make_interval(secs => %s), 0, '', statement_timestamp())
    returning id
"""
TAKE = """
    update matches_outbox
    set tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => %s)
    where id = %s and tries = %s
    returning kind, payload
"""
STRIKE_OFF = "delete from matches_outbox where id = %s returning id"


class GiveUpError(Exception):
    """Raised by a handler when trying again is of no use."""


class TryLaterError(Exception):
    """Raised by a handler when what it needs is not there now, through no fault of ours."""


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Name the function that does owed work of a kind. It may be called twice for the same work."""

    def register(function: Handler) -> Handler:
        _handlers[kind] = function
        return function

    return register


def owe(kind: str, payload: dict[str, Any]) -> None:
    """Write the work down; it is done soon after the present transaction is committed."""
    [[pk]] = run(OWE, [kind, json.dumps(payload), settings.RESEND_SECONDS])
    relay.nudge(lambda: relay.send_deliveries([(pk, 0)]))


def deliver(outbox_id: int, tries: int) -> bool:
    """Do owed work, and strike it off. Of messages that name the same try, one gets to do it."""
    taken = run(TAKE, [settings.OUTBOX_LEASE_SECONDS, outbox_id, tries])
    if not taken:
        return False
    [[kind, text]] = taken
    payload = json.loads(text)
    owed = f"{kind} {payload}"
    try:
        with concerning(**{"match_id": payload["match"]} if "match" in payload else {}):
            _handlers[kind](payload)
    except GiveUpError as error:
        log.warning("%s is given up: %s", owed, error)
    except Exception as error:  # whatever it was, the work is still owed
        pause = min(settings.RESEND_SECONDS * 2**tries, LONGEST_PAUSE)
        Outbox.objects.filter(pk=outbox_id).update(
            due_at=Now() + timedelta(seconds=pause), error=f"{type(error).__name__}: {error}"[:2000]
        )
        level = logging.INFO if isinstance(error, TryLaterError) else logging.ERROR
        log.log(level, "%s failed and is tried again in %s s", owed, pause, exc_info=level == logging.ERROR)
        return False
    run(STRIKE_OFF, [outbox_id])
    return True


def run(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()
