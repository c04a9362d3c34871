"""Wake-ups through Redis: to the match hosts when a person has decided, to browsers when the table changed.

The database has all of it, so a lost message only delays: heartbeats of hosts and streams look again.
"""

import json
import logging
from typing import Any, Final

from django.db import transaction
from redis import RedisError

from arena.redis_client import impatient_client

log = logging.getLogger(__name__)

HOSTS: Final = "tables"
"""What all match hosts hear: [attempt, seat, step, action], or that a table waits for a host."""


def table_channel(public_id: str) -> str:
    return f"table:{public_id}"


def tell_hosts(news: Any) -> None:
    """Tell match hosts something about a table once this is committed."""
    transaction.on_commit(lambda: _publish(HOSTS, json.dumps(news)))


def tell_people(public_id: str, news: dict[str, Any] | None = None) -> None:
    """Have the browsers at a table shown what is new once this is committed.

    Where `news` says all of it (see `TableFeed.hear`), nobody has to read the database for it.
    """
    transaction.on_commit(lambda: _publish(table_channel(public_id), json.dumps(news) if news else ""))


def _publish(channel: str, text: str) -> None:
    client = impatient_client()
    try:
        client.publish(channel, text)
    except RedisError as error:
        log.warning("news of a table will be late: %s", error)
