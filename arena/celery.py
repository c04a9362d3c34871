"""The Celery app of the arena, `celery -A arena.celery worker -Q arena`, and the schedule of its `beat`.

Each queue has workers of its own, so that no kind of work can hold up another: `arena` settles matches and
keeps leases, `calls` talks to servers of others, `heavy` computes what can wait.
"""

import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Any

from celery import Celery
from celery.exceptions import OperationalError
from celery.schedules import crontab
from celery.signals import beat_init, setup_logging, task_prerun, worker_process_init, worker_ready
from django.conf import settings
from django.db import close_old_connections, connections
from django.utils.log import configure_logging
from redis import RedisError

from arena import health
from workers.alive import ShowLife
from workers.settings import celery_settings
from workers.tether import tether

ARENA_QUEUE = "arena"
CALLS_QUEUE = "calls"
HEAVY_QUEUE = "heavy"
QUEUES = (ARENA_QUEUE, CALLS_QUEUE, HEAVY_QUEUE)
NOTE_SECONDS = 10
CONNECTION_SECONDS = 60
log = logging.getLogger("arena")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
app = Celery("arena")
app.conf.update(celery_settings(settings.REDIS_URL, ARENA_QUEUE))
app.conf.CELERY_DB_REUSE_MAX = sys.maxsize  # otherwise Celery opens a connection for every task
app.steps["consumer"].add(ShowLife)
app.autodiscover_tasks(["arena", *settings.INSTALLED_APPS])
app.conf.beat_schedule = {
    f"note that the queue {queue} is consumed": {
        "task": "arena.tasks.note_consumption",
        "schedule": float(NOTE_SECONDS),
        # A note that had to wait for a worker says nothing about the present.
        "options": {"expires": NOTE_SECONDS, "queue": queue},
    }
    for queue in QUEUES
} | {
    "send what is due": {
        "task": "arena.tasks.send_due",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "call the webhooks that are due": {
        "task": "arena.notices.tasks.send_calls",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "reap expired leases": {
        "task": "arena.hosts.tasks.reap",
        "schedule": float(settings.REAP_SECONDS),
        "options": {"expires": settings.REAP_SECONDS},
    },
    "fill the ladders' queues": {
        "task": "arena.ladders.tasks.fill_ladders",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "roll seasons": {
        "task": "arena.ladders.tasks.roll_seasons",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "note best ranks": {
        "task": "arena.ladders.tasks.update_best_ranks",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "estimate strengths": {
        "task": "arena.ladders.tasks.estimate_strengths",
        "schedule": 10.0,
        "options": {"queue": HEAVY_QUEUE, "expires": 10},
    },
    "count results by version": {
        "task": "arena.ladders.tasks.tally_results",
        "schedule": 10.0,
        "options": {"queue": HEAVY_QUEUE, "expires": 10},
    },
    "keep the tournaments' time": {
        "task": "arena.tournaments.tasks.keep_time",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "keep promotion tests going": {
        "task": "arena.promotions.tasks.keep_tests_going",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "forget old sessions": {
        "task": "arena.tasks.forget_old_sessions",
        "schedule": crontab(hour="4", minute="10"),
        "options": {"queue": HEAVY_QUEUE},
    },
    "forget old logs and replays": {
        "task": "arena.operations.tasks.forget_old",
        "schedule": crontab(hour="4", minute="20"),
        "options": {"queue": HEAVY_QUEUE},
    },
    "make a backup and verify it": {
        "task": "arena.operations.tasks.make_backup",
        "schedule": crontab(hour="3", minute="10"),
        "options": {"queue": HEAVY_QUEUE},
    },
    "renew the statistics of tables": {
        "task": "arena.operations.tasks.refresh_statistics",
        "schedule": crontab(hour="4", minute="40"),
        "options": {"queue": HEAVY_QUEUE},
    },
    "look for stuck work": {
        "task": "arena.operations.tasks.report_stuck",
        "schedule": 300.0,
        "options": {"queue": HEAVY_QUEUE, "expires": 300},
    },
}


@setup_logging.connect
def use_django_logging(**_: Any) -> None:
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


@worker_process_init.connect
def die_with_the_worker(**_: Any) -> None:
    tether(os.getppid(), signal.SIGKILL)  # pool processes do not notice a `kill -9` of their worker


@worker_process_init.connect
def keep_connections(**_: Any) -> None:
    """Keep the connection of a pool process's one thread: opening one costs more than most tasks."""
    for connection in connections.all():
        if (
            "pool" not in connection.settings_dict["OPTIONS"]
        ):  # the pool keeps them already, and refuses this setting
            connection.settings_dict["CONN_MAX_AGE"] = CONNECTION_SECONDS


@task_prerun.connect
def note_consumption(task: Any = None, **_: Any) -> None:
    """Note it with every task: a long queue moves while the scheduler's own note still waits in it."""
    queue = ((task and task.request.delivery_info) or {}).get("routing_key")
    if queue in QUEUES:
        with suppress(RedisError):
            health.note_consumption(queue)


@task_prerun.connect
def close_bad_connections(**_: Any) -> None:
    close_old_connections()  # what is left is checked when it is next used


@worker_ready.connect
def say_worker_ready(sender: Any, **_: Any) -> None:
    queues = list(app.amqp.queues.consume_from)
    log.info(
        "arena worker ready: %s tasks at a time from the queue %s",
        sender.controller.concurrency,
        " and ".join(queues),
    )
    # Otherwise it would count as down until the scheduler's first note. If Redis is down, that must do.
    with suppress(OperationalError):
        for queue in queues:
            app.send_task("arena.tasks.note_consumption", queue=queue, expires=NOTE_SECONDS)


@beat_init.connect
def say_scheduler_ready(**_: Any) -> None:
    log.info("scheduler ready: %s entries", len(app.conf.beat_schedule))
