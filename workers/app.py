"""The Celery app of a match host, which holds no database and no Django.

Run with `celery -A workers.app worker -Q matches`.
"""

import importlib
import logging
import os
import signal
from typing import Any

from celery import Celery
from celery.signals import (
    celeryd_after_setup,
    setup_logging,
    worker_init,
    worker_process_init,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)

from workers import alive, env, logs
from workers.host import drain, heartbeat, tasks
from workers.host.tables_process import TablesProcess
from workers.polling import MATCH_HOST, prepare_grpc
from workers.settings import MATCHES_QUEUE, match_host_settings
from workers.tether import tether

__all__ = ["app", "tasks"]

log = logging.getLogger("workers")

# No fixups: otherwise Celery would load Django into this host if Django's variable happens to be set.
app = Celery("workers", fixups=set())
app.conf.update(match_host_settings())
tables = TablesProcess()
app.steps["consumer"].add(heartbeat.TakeOnlyWhenFit)
app.steps["consumer"].add(alive.ShowLife)


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logs.formatter())
    logging.basicConfig(level=env.level("ARENA_LOG_LEVEL"), handlers=[handler])
    logging.getLogger("celery").setLevel(logging.WARNING)  # otherwise every task is logged three times


@worker_init.connect
def load_grpc(**_: Any) -> None:
    """Import gRPC before the pool forks: its processes then share the memory, and it is not used before."""
    prepare_grpc(MATCH_HOST)
    importlib.import_module("grpc.aio")


@celeryd_after_setup.connect
def show_host(instance: Any, **_: Any) -> None:
    heartbeat.prepare_host(instance.concurrency)
    tables.start()


@worker_process_init.connect
def die_with_the_worker(**_: Any) -> None:
    # Pool processes do not notice a `kill -9` of their worker, but a match must not go on without its host.
    tether(os.getppid(), signal.SIGKILL)


@worker_shutting_down.connect
def begin_to_drain(**_: Any) -> None:
    drain.begin()


@worker_shutdown.connect
def end_tables(**_: Any) -> None:
    tables.stop()


@worker_ready.connect
def say_ready(sender: Any, **_: Any) -> None:
    log.info(
        "match host ready: %s matches at a time from the queue %s",
        sender.controller.concurrency,
        MATCHES_QUEUE,
    )
