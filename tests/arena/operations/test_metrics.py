"""Monitoring sees what the database knows, and strangers see nothing."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings
from redis import Redis

from arena.operations.figures import FIGURES
from tests.arena.cast import ask_for, claim, finish, make_bot

pytestmark = pytest.mark.django_db
Labels = frozenset[tuple[str, str]]


def scrape(client: Client) -> dict[tuple[str, Labels], float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def value(found: dict[tuple[str, Labels], float], name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


def test_metrics_tell_what_waits_runs_and_ended(client: Client, redis: Redis) -> None:
    versions = [make_bot(f"b{n}") for n in range(2)]
    finish(ask_for(versions))
    finish(ask_for(versions), faulty=[1])
    claim(ask_for(versions))
    ask_for(versions)
    found = scrape(client)
    assert value(found, "arena_attempts_open", work="match", state="queued") == 1
    assert value(found, "arena_attempts_open", work="match", state="running") == 1
    assert value(found, "arena_attempts_open", work="build", state="queued") == 0
    assert value(found, "arena_attempts_oldest_seconds", work="match", state="queued") >= 0
    assert value(found, "arena_matches_recent", purpose="challenge", outcome="played") == 1
    assert value(found, "arena_matches_recent", purpose="challenge", outcome="fault") == 1
    assert value(found, "arena_seat_faults_recent", fault="crash") == 1
    assert value(found, "arena_attempts_recent", state="done", fault="bot") == 1
    assert value(found, "arena_stage_seconds", stage="match", quantile="0.95") == pytest.approx(0.002)
    assert value(found, "arena_sandbox_starts_recent", sandbox="bubblewrap") == 4
    host = {"host": "host", "sandbox": "bubblewrap", "degraded": "false", "paused": "false"}
    assert value(found, "arena_host_slots", **host) == 2
    assert value(found, "arena_outbox_owed", kind="settle") == 2
    assert value(found, "arena_broker_up") == 1


def test_metrics_cost_the_same_however_much_there_is(client: Client, redis: Redis) -> None:
    with CaptureQueriesContext(
        connection,
    ) as empty:
        scrape(client)
    versions = [make_bot(f"b{n}") for n in range(3)]
    for _ in range(3):
        finish(ask_for(versions))
    with CaptureQueriesContext(connection) as full:
        scrape(client)
    assert len(empty) == len(full) == len(FIGURES)


def test_requests_are_counted_by_route_and_not_by_address(client: Client, redis: Redis) -> None:
    client.get("/bots/no-such-bot-1/")
    client.get("/nowhere/at/all")
    routes = {
        dict(labels)["route"] for name, labels in scrape(client) if name == "arena_http_request_seconds_count"
    }
    assert {"/bots/<slug:slug>/", "/none"} & routes == {"/bots/<slug:slug>/", "/none"}
    assert not any("no-such-bot" in route for route in routes)


def test_without_traces_openmetrics_has_the_same_figures_and_no_exemplar(
    client: Client, redis: Redis
) -> None:
    finish(ask_for([make_bot(f"b{n}") for n in range(2)]))
    client.get("/bots/no-such-bot-1/")
    plain = {name for name, _ in scrape(client) if name.startswith("arena_")}
    answer = client.get("/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0"})
    assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
    samples = [
        one
        for family in openmetrics.text_string_to_metric_families(answer.content.decode())
        for one in family.samples
    ]
    assert {one.name for one in samples if one.name.startswith("arena_")} == plain
    assert not any(one.exemplar for one in samples)


def test_metrics_are_for_this_machine_or_whoever_shows_the_token(client: Client, settings: Settings) -> None:
    assert client.get("/metrics", REMOTE_ADDR="203.0.113.7").status_code == 403
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 403
    settings.METRICS_TOKEN = "open sesame"
    assert client.get("/metrics").status_code == 403
    shown = {"Authorization": "Bearer open sesame"}
    assert client.get("/metrics", headers=shown, REMOTE_ADDR="203.0.113.7").status_code == 200


def test_behind_a_proxy_metrics_need_the_token(client: Client, settings: Settings) -> None:
    settings.PROXIES = ["10.0.0.1"]
    assert client.get("/metrics").status_code == 403


def test_a_broker_that_is_away_is_a_figure_and_no_error(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert value(scrape(client), "arena_broker_up") == 0


def test_probes_come_by_address_and_over_plain_http(client: Client, settings: Settings, redis: Redis) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["arena.example"]
    assert client.get("/healthz", headers={"Host": "10.1.2.3:8000"}).content == b"live\n"
    assert client.get("/readyz", headers={"Host": "10.1.2.3:8000"}).json()["database"] is True
