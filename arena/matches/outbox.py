"""Work that a transaction leaves to be done after it: owed in the transaction, done at least once."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now

from arena.matches import relay
from arena.matches.models import Outbox
from workers.logs import concerning

log = logging.getLogger(__name__)

Handler = Callable[[dict[str, Any]], None]
LONGEST_PAUSE = 3600
_handlers: dict[str, Handler] = {}


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
    owed = Outbox.objects.create(kind=kind, payload=payload, due_at=relay.due_again())
    relay.nudge(lambda: relay.send_deliveries([(owed.pk, owed.tries)]))


def deliver(outbox_id: int, tries: int) -> bool:
    """Do owed work, and strike it off. Of messages that name the same try, one gets to do it."""
    taken = Outbox.objects.filter(pk=outbox_id, tries=tries).update(
        tries=F("tries") + 1, due_at=Now() + timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
    )
    if not taken:
        return False
    owed = Outbox.objects.get(pk=outbox_id)
    try:
        with concerning(**{"match_id": owed.payload["match"]} if "match" in owed.payload else {}):
            _handlers[owed.kind](owed.payload)
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
    Outbox.objects.filter(pk=outbox_id).delete()
    return True
