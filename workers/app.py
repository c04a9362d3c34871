"""The Celery app of a match host, which holds no database and no Django.

Run with `celery -A workers.app worker -Q matches`.
"""

import logging
import os
import signal
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_process_init, worker_ready

from workers import env
from workers.settings import MATCHES_QUEUE, match_host_settings
from workers.tether import tether

log = logging.getLogger("workers")

app = Celery("workers")
app.conf.update(match_host_settings())


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    logging.basicConfig(level=env.level("ARENA_LOG_LEVEL"), format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("celery").setLevel(logging.WARNING)  # else every task says three times that it ran


@worker_process_init.connect
def die_with_the_worker(**_: Any) -> None:
    # Pool processes do not notice a `kill -9` of their worker; a bot's match must not play on without a host.
    tether(os.getppid(), signal.SIGKILL)


@worker_ready.connect
def say_ready(sender: Any, **_: Any) -> None:
    log.info(
        "match host ready: %s matches at a time from the queue %s",
        sender.controller.concurrency,
        MATCHES_QUEUE,
    )
