"""The Celery app of a match host, which holds no database and no Django.

Run with `celery -A workers.app worker -Q matches`.
"""

import logging
import os
import signal
from typing import Any

from celery import Celery
from celery.signals import (
    celeryd_after_setup,
    setup_logging,
    worker_process_init,
    worker_ready,
    worker_shutting_down,
)

from workers import alive, env, logs
from workers.host import drain, heartbeat, tasks
from workers.settings import MATCHES_QUEUE, match_host_settings
from workers.tether import tether

__all__ = ["app", "tasks"]

log = logging.getLogger("workers")

# Without fixups: where Django's variable happens to be set, Celery would load Django into this host.
app = Celery("workers", fixups=set())
app.conf.update(match_host_settings())
app.steps["consumer"].add(heartbeat.TakeOnlyWhenFit)
app.steps["consumer"].add(alive.ShowLife)


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logs.formatter())
    logging.basicConfig(level=env.level("ARENA_LOG_LEVEL"), handlers=[handler])
    logging.getLogger("celery").setLevel(logging.WARNING)  # else every task says three times that it ran


@celeryd_after_setup.connect
def show_host(instance: Any, **_: Any) -> None:
    heartbeat.prepare_host(instance.concurrency)


@worker_process_init.connect
def die_with_the_worker(**_: Any) -> None:
    # Pool processes do not notice a `kill -9` of their worker; a bot's match must not play on without a host.
    tether(os.getppid(), signal.SIGKILL)


@worker_shutting_down.connect
def begin_to_drain(**_: Any) -> None:
    drain.begin()


@worker_ready.connect
def say_ready(sender: Any, **_: Any) -> None:
    log.info(
        "match host ready: %s matches at a time from the queue %s",
        sender.controller.concurrency,
        MATCHES_QUEUE,
    )
