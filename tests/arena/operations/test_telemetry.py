"""One match leaves one trace, from its request to its settling; errors are reported; both only where wanted."""

import asyncio
import gzip
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as arena_settings
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from redis import Redis

from arena.embedded.home import PROJECT
from arena.hosts import services as hosts
from arena.hosts import signing
from arena.hosts.models import Attempt
from arena.hosts.wakeups import send_wake_ups
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches
from arena.outbox.models import Outbox
from arena.outbox.services import deliver
from engine.rulesets import ruleset
from tests.arena.cast import HOST_STATE
from tests.faults.harness import BOTS, bot_source, make_version
from workers import tracing
from workers.env import EnvError
from workers.host.config import read_config
from workers.host.host import MatchHost
from workers.logs import JsonFormatter
from workers.sandbox.choose import open_sandbox, settings_from_environment


@contextmanager
def receiver() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A server on this machine that keeps what is posted to it."""
    kept: list[tuple[str, bytes]] = []

    class Keep(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_packed = self.headers.get("Content-Encoding") == "gzip"
            kept.append((self.path, gzip.decompress(body) if is_packed else body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Keep) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", kept
        server.shutdown()


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Traces are on; calling the fixture's value returns the spans that have arrived."""
    with receiver() as (address, kept):
        monkeypatch.setenv(tracing.VARIABLE, f"{address}/v1/traces")
        tracing.provider.cache_clear()

        def arrived() -> list[Any]:
            tracing.provider(os.getpid()).force_flush()
            requests = [ExportTraceServiceRequest.FromString(body) for _, body in kept]
            return [
                span
                for request in requests
                for resource in request.resource_spans
                for scope in resource.scope_spans
                for span in scope.spans
            ]

        yield arrived
        tracing.provider(os.getpid()).shutdown()
        tracing.provider.cache_clear()


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="arena-traces-"))  # not pytest's, which sandboxes cannot reach
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def play(attempt: Attempt) -> None:
    """Have a real match host play in this process, in real sandboxes."""

    async def run() -> None:
        sandbox = await open_sandbox(settings_from_environment())
        config = read_config()
        config.create_folders()
        host = MatchHost(config, sandbox)
        try:
            await host.run(attempt.pk, signing.sign_attempt(attempt.pk))
        finally:
            await host.close()

    asyncio.run(run())


def exemplars(server: LiveServer) -> set[str]:
    """Return the traces that the web server's metrics name, asked as Prometheus asks."""
    accepted = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
    request = urllib.request.Request(f"{server.url}/metrics", headers={"Accept": accepted})
    with urllib.request.urlopen(request, timeout=30) as answer:
        families = [*text_string_to_metric_families(answer.read().decode())]
    samples = [sample for family in families for sample in family.samples if sample.exemplar]
    assert {sample.name for sample in samples} <= {"arena_http_request_seconds_bucket"}
    return {sample.exemplar.labels["trace_id"] for sample in samples if sample.exemplar}


@pytest.mark.django_db(transaction=True)
def test_one_trace_follows_a_match_from_its_request_to_its_settling(
    spans: Any, live_server: LiveServer, redis: Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("ARENA_URL", live_server.url)
    monkeypatch.setenv("ARENA_HOST_KEY", arena_settings.HOST_KEY)
    monkeypatch.setenv("MATCH_HOST_NAME", "tracer")
    monkeypatch.setenv("MATCH_HOST_FOLDER", str(folder))
    settings.ALLOWED_HOSTS = ["*"]
    settings.MEDIA_ROOT = folder / "media"
    hosts.beat("tracer", HOST_STATE)
    versions = [make_version(f"traced-{seat}", bot_source(BOTS / "first.py")) for seat in range(2)]
    [match] = request_matches([MatchRequest(versions, ruleset("english"), Match.Purpose.CHALLENGE)])
    send_wake_ups()
    logger, lines = logging.getLogger("workers.host.host"), logging.StreamHandler()
    lines.setFormatter(JsonFormatter())
    logger.addHandler(lines)
    try:
        play(Attempt.objects.get(match=match))
    finally:
        logger.removeHandler(lines)
    for pk, tries in Outbox.objects.filter(kind="settle").values_list("pk", "tries"):
        deliver(pk, tries)
    assert Match.objects.get(pk=match.pk).state == Match.State.FINISHED
    trace_id, first = tracing.ids_of(match.public_id)
    found = [span for span in spans() if int.from_bytes(span.trace_id, "big") == trace_id]
    names = [span.name for span in sorted(found, key=lambda span: span.start_time_unix_nano)]
    assert sorted(names) == sorted(
        [
            "request",
            "wake-up",
            "claim",
            "match",
            "sandbox start",
            "sandbox start",
            "report",
            "record",
            "outbox",
            "settle",
        ]
    )
    by_name = {span.name: span for span in found}
    assert int.from_bytes(by_name["request"].span_id, "big") == first
    assert not by_name["request"].parent_span_id
    for name in ("wake-up", "claim", "match", "report", "record", "outbox", "settle"):
        assert int.from_bytes(by_name[name].parent_span_id, "big") == first
    assert by_name["sandbox start"].parent_span_id == by_name["match"].span_id
    assert f"{trace_id:032x}" in exemplars(live_server)
    logged = [json.loads(line) for line in capsys.readouterr().err.splitlines() if '"played match' in line]
    assert {line["trace"] for line in logged} == {f"{trace_id:032x}"}


def python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings", **variables}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=environment,
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )


def test_without_the_settings_nothing_of_it_is_imported() -> None:
    program = """
import sys
def loaded():
    return {name for name in sys.modules if name.partition(".")[0] in {"opentelemetry", "sentry_sdk", "storages"}}
import redis, redis.asyncio  # which loads OpenTelemetry's metrics by itself, where they are installed
before = loaded()
import django
django.setup()
from arena.celery import app
import workers.host.host
from workers import tracing
tracing.begin_trace("x")
with tracing.span("match", "x"):
    pass
print(sorted(loaded() - before))
"""
    done = python(program)
    assert done.stdout.strip() == "[]", done.stderr


def test_an_error_reaches_the_server_that_the_setting_names() -> None:
    program = """
import logging, django
django.setup()
logging.getLogger("arena").error("the pyramid fell")
import sentry_sdk
sentry_sdk.flush(10)
"""
    with receiver() as (address, kept):
        done = python(program, ARENA_SENTRY_DSN=address.replace("http://", "http://key@") + "/1")
    assert done.returncode == 0, done.stderr
    assert any(path == "/api/1/envelope/" and b"the pyramid fell" in body for path, body in kept)


def test_wrong_addresses_are_named_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    done = python("import django; django.setup()", ARENA_SENTRY_DSN="errors.example")
    assert done.stderr.startswith("ARENA_SENTRY_DSN must be an address")
    monkeypatch.setenv(tracing.VARIABLE, "collector:4318")
    with pytest.raises(EnvError, match="ARENA_TRACES_URL must be the address of a collector"):
        tracing.collector()


def test_a_collector_that_is_down_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tracing.VARIABLE, "http://127.0.0.1:9/v1/traces")
    tracing.provider.cache_clear()
    played = False
    with tracing.span("match", "x"):
        played = True
    tracing.provider(os.getpid()).shutdown()  # sends what is left, which nobody takes
    tracing.provider.cache_clear()
    assert played
