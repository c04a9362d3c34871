"""Sending to Celery's queues. A message that is lost or sent twice does no harm."""

import logging
from collections.abc import Callable

from celery.exceptions import OperationalError as PublishError
from django.db import DatabaseError, transaction
from kombu.exceptions import KombuError
from redis import RedisError

from arena.celery import QUEUES
from arena.redis_client import redis_client
from workers.settings import QUEUE_PREFIX

log = logging.getLogger(__name__)

BATCH = 100
BROKER_ERRORS = (PublishError, KombuError, RedisError, OSError)


def nudge(send: Callable[[], object]) -> None:
    """Send once the current transaction is committed; if that fails, a periodic task sends later."""

    def send_or_leave_it() -> None:
        try:
            send()
        except (*BROKER_ERRORS, DatabaseError) as error:
            log.warning("the queue is unavailable; a periodic task will send later: %s", error)

    transaction.on_commit(send_or_leave_it, robust=True)


def until_empty(send: Callable[[], int]) -> int:
    total = 0
    while count := send():
        total += count
    return total


def long_queues() -> set[str]:
    """Return the queues that have enough messages for now."""
    return {queue for queue in QUEUES if queue_depth(queue) >= BATCH}


def queue_depth(queue: str) -> int:
    """Return how many messages wait in a queue."""
    with redis_client() as client:
        return int(client.llen(f"{QUEUE_PREFIX}{queue}"))
