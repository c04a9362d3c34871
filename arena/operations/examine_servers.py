"""Settings, PostgreSQL, Redis and the queues."""

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now
from django.http.request import validate_host
from redis import RedisError, ResponseError

from arena import health
from arena.celery import QUEUES
from arena.operations.diagnosis import Diagnosis, ok, warning, wrong
from arena.operations.known_variables import unknown_variables
from arena.outbox.models import Outbox
from arena.queues import queue_depth
from arena.redis_client import redis_client

LONG_QUEUE = 1000
LATE = timedelta(minutes=5)


def settings_hold() -> Iterator[Diagnosis]:
    """Check that the settings fit together; `arena.settings` has refused at start what cannot work at all."""
    site = urlsplit(settings.SITE_URL)
    if settings.DEBUG:
        yield wrong("ARENA_DEBUG is on: error pages show code and settings.", "Set ARENA_DEBUG=false.")
    if not settings.HTTPS:
        yield warning("This is a development arena: HTTPS is off.", "Set ARENA_HTTPS=true in production.")
    elif not settings.PROXIES:
        yield warning(
            "No proxy is trusted: behind one, every page redirects to itself, and all visitors are one.",
            "Name your proxies in ARENA_PROXIES, unless the web servers end TLS themselves.",
        )
    for name, meant in unknown_variables():
        to_do = f"Did you mean {meant}?" if meant else "See docs/operator/settings.md for what there is."
        yield warning(f"{name} is set, but nothing reads it.", to_do)
    if not validate_host(site.hostname or "", settings.ALLOWED_HOSTS):
        yield wrong(
            f"The arena refuses visitors of its own address {settings.SITE_URL}.",
            f"Add {site.hostname} to ALLOWED_HOSTS.",
        )
    found = checks.run_checks(include_deployment_checks=settings.HTTPS)
    for message in found:
        if message.level >= checks.WARNING:
            finding = wrong if message.is_serious() else warning
            yield finding(f"{message.id}: {message.msg}", message.hint or "See docs/operator/settings.md.")
    if not found:
        yield ok("Django's checks find nothing.")


def database_is_current() -> Iterator[Diagnosis]:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        first = missing[0][0]
        yield wrong(
            f"{len(missing)} migrations are not applied, first {first.app_label}.{first.name}.",
            "Run `python manage.py migrate`, then restart the arena: docs/operator/upgrade.md.",
        )
    else:
        yield ok("PostgreSQL answers, and every migration is applied.")


def redis_keeps_messages() -> Iterator[Diagnosis]:
    with redis_client() as client:
        client.ping()
        yield ok("Redis answers.")
        try:
            found = client.config_get("maxmemory-policy", "appendonly")
        except ResponseError:
            yield warning(
                "Redis does not tell its settings.",
                "See yourself that it has maxmemory-policy noeviction and appendonly yes.",
            )
            return
    if found.get("maxmemory-policy") != "noeviction":
        yield wrong(
            f"Redis forgets keys when it is full (maxmemory-policy {found.get('maxmemory-policy')}).",
            "Set maxmemory-policy noeviction: queues are keys too.",
        )
    if found.get("appendonly") != "yes":
        yield warning(
            "Redis forgets its queues when it restarts; they are sent again, later.", "Set appendonly yes."
        )


def queues_are_consumed() -> Iterator[Diagnosis]:
    states = health.states()
    if not states["queue"]:
        raise RedisError("the queues cannot be read")
    for name, queue in health.WORKERS.items():
        if states[name]:
            yield ok(f"A worker consumes the queue {queue}.")
        else:
            yield wrong(
                f"No worker has consumed the queue {queue} for {health.FRESH_SECONDS} seconds.",
                f"Start `celery -A arena.celery worker -Q {queue}` and the scheduler, "
                "`celery -A arena.celery beat`, or see in their logs why they stopped.",
            )
    for queue in QUEUES:
        if (depth := queue_depth(queue)) > LONG_QUEUE:
            yield warning(f"{depth} messages wait in the queue {queue}.", f"Start more workers of {queue}.")
    late = Outbox.objects.filter(created_at__lt=Now() - LATE)
    if count := late.count():
        kinds = ", ".join(sorted(late.values_list("kind", flat=True).distinct()))
        yield warning(
            f"{count} pieces of owed work ({kinds}) wait for more than five minutes.",
            "See the workers' logs, and the errors on /operator/: docs/operator/runbook.md.",
        )
