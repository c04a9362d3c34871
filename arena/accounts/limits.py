"""Rate limits: counters in Redis that all processes of the arena share.

They only slow down guessing and flooding, so while Redis is down everything is allowed.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from redis import Redis, RedisError

from arena.redis_client import impatient_client

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limit:
    """A number of times within a number of seconds, counted from the first."""

    times: int
    seconds: int
    reason: str | Promise


LIMITS = {
    "sign-in": Limit(5, 300, _("Too many attempts to sign in to this account from here.")),
    "sign-in-address": Limit(100, 3600, _("Too many attempts to sign in from your network.")),
    "sign-in-account": Limit(
        100,
        3600,
        _(
            "Too many attempts to sign in to this account from unknown places. "
            "Sign in from a browser you have used before, or reset your password."
        ),
    ),
    "second-factor": Limit(5, 300, _("Too many attempts with a wrong code.")),
    "old-password": Limit(10, 3600, _("Too many attempts with a wrong password.")),
    "sign-up-try": Limit(60, 3600, _("Too many attempts to sign up from your network.")),
    "sign-up": Limit(10, 3600, _("Too many new accounts from your network.")),
    "reset": Limit(3, 3600, _("Too many e-mails to this address. The link in the latest one still works.")),
    "reset-address": Limit(30, 3600, _("Too many e-mails requested from your network.")),
    "reset-mailbox": Limit(
        10, 3600, _("Too many e-mails to this address. The link in the latest one still works.")
    ),
    "confirm": Limit(5, 3600, _("Too many confirmation e-mails.")),
    "confirm-mailbox": Limit(10, 3600, _("Too many e-mails to this address.")),
    "api-anonymous": Limit(300, 60, _("Too many requests without a token.")),
    "api": Limit(1200, 60, _("Too many requests.")),
    "api-write": Limit(120, 60, _("Too many changes.")),
    "compute": Limit(240, 60, _("Too many replays, pictures and exports at once.")),
    "chances": Limit(30, 60, _("Too many requests for chances to win.")),
    "try": Limit(240, 60, _("Too many tries on the analysis board.")),
    "variation": Limit(30, 600, _("Too many new variations.")),
    "continuation": Limit(30, 60, _("Too many continuations.")),
    "upload": Limit(30, 3600, _("Too many uploads.")),
    "team": Limit(10, 24 * 3600, _("Too many new teams.")),
    "invite": Limit(30, 3600, _("Too many invitations.")),
    "join": Limit(30, 600, _("Too many links of invitations.")),
    "table": Limit(30, 600, _("Too many new tables from your network.")),
    "hint": Limit(300, 60, _("Too many hints.")),
    "seat-stream": Limit(300, 60, _("Too many requests.")),
    "decide": Limit(600, 60, _("Too many decisions from your network.")),
}


class LimitError(Exception):
    """A limit was exceeded: the message says which one, `seconds` how long to wait."""

    def __init__(self, limit: Limit, seconds: int) -> None:
        super().__init__(
            _("%(reason)s Try again in %(seconds)d s.") % {"reason": limit.reason, "seconds": seconds}
        )
        self.seconds = seconds


def spend(name: str, who: object) -> None:
    """Count one try of `who`; raise LimitError if it is one too many."""
    limit = LIMITS[name]
    key = f"limit:{name}:{who}"
    client = (
        counters()
    )  # keep a reference: a client that is garbage-collected closes its connections, even in use
    try:
        with client.pipeline() as pipe:
            pipe.set(key, 0, ex=limit.seconds, nx=True)
            pipe.incr(key)
            pipe.ttl(key)
            _created, count, left = pipe.execute()
    except RedisError as error:
        log.warning("Limits are not counted while Redis is down: %s", error)
        return
    if count > limit.times:
        raise LimitError(limit, max(1, left))


def spend_all(tries: Sequence[tuple[str, object]]) -> None:
    """Count one try for several limits, in order; if one raises LimitError, the try counts for none."""
    for number, (name, who) in enumerate(tries):
        try:
            spend(name, who)
        except LimitError:
            for earlier in tries[:number]:
                refund(*earlier)
            raise


def refund(name: str, who: object) -> None:
    """Take back one try."""
    client = counters()
    key = f"limit:{name}:{who}"
    try:
        if client.decr(key) < 0:  # it had expired, and this created it again without an expiry
            client.delete(key)
    except RedisError as error:
        log.warning("A limit could not be corrected while Redis is down: %s", error)


def forgive(name: str, who: object) -> None:
    """Reset a counter, for example after a correct password."""
    try:
        counters().delete(f"limit:{name}:{who}")
    except RedisError as error:
        log.warning("A limit could not be reset while Redis is down: %s", error)


def counters() -> Redis:
    return impatient_client()
