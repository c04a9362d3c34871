import pytest
from django.test import Client
from pytest_django import Settings
from redis import Redis

from arena.celery import QUEUES
from arena.health import note_consumption
from workers.runtimes.registry import LANGUAGES

AWAY = {"worker": False, "calls": False, "heavy": False}

PLAYS = {"runtimes": True, "languages": [], "trouble": [], "missing": [], "untried": list(LANGUAGES)}
"""Nothing is wrong with what no host offers."""


def test_a_process_that_serves_is_live(client: Client) -> None:
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
def test_a_queue_that_nobody_consumes_is_not_ready(client: Client, redis: Redis) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "queue": True, **AWAY, **PLAYS})


@pytest.mark.django_db
def test_all_is_ready_once_each_queue_was_consumed(client: Client, redis: Redis) -> None:
    for queue in QUEUES:
        assert client.get("/readyz").status_code == 503
        note_consumption(queue)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {**dict.fromkeys(["database", "queue", *AWAY], True), **PLAYS}


@pytest.mark.django_db
def test_a_queue_without_a_worker_is_named(client: Client, redis: Redis) -> None:
    note_consumption("arena")
    note_consumption("heavy")
    works = client.get("/readyz").json()
    assert [name for name, good in works.items() if good is False] == ["calls"]


@pytest.mark.django_db
def test_a_broker_that_is_away_is_said_and_not_raised(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "queue": False, **AWAY, **PLAYS})
