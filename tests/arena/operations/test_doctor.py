"""The doctor: for everything that it examines, something is broken for real, and it says what to do."""

import json
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.functions import Now
from pytest_django import Settings
from redis import Redis

from arena import health
from arena.celery import QUEUES
from arena.hosts import services as hosts
from arena.hosts.host_api import note_clock
from arena.hosts.models import Host
from arena.operations.diagnosis import Diagnosis, DoctorVerdict
from arena.operations.doctor import EXAMINATIONS, examine
from arena.outbox.models import Outbox
from tests.arena.cast import HOST_STATE
from tests.arena.operations.certificates import https_server, write_certificate

pytestmark = pytest.mark.django_db


def bad(name: str) -> list[Diagnosis]:
    """What one examination does not like."""
    found = [finding for _, finding in examine([name])]
    assert found
    troubles = [finding for finding in found if finding.verdict != DoctorVerdict.OK]
    assert all(finding.to_do for finding in troubles)
    return troubles


def only(name: str) -> tuple[str, str]:
    [finding] = bad(name)
    return str(finding.verdict), f"{finding.sentence} {finding.to_do}"


@pytest.fixture
def production(settings: Settings) -> Settings:
    settings.HTTPS = True
    settings.SITE_URL = "https://arena.example"
    settings.ALLOWED_HOSTS = ["arena.example"]
    settings.SECRET_KEY = "0123456789" * 6 + "abcdefgh"
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    settings.PROXIES = ["10.0.0.1"]
    return settings


def test_settings_that_fit_together_are_fine(production: Settings) -> None:
    assert bad("settings") == []


@pytest.mark.parametrize(
    ("name", "value", "to_do"),
    [
        ("PROXIES", [], "Name your proxies in ARENA_PROXIES"),
        ("ALLOWED_HOSTS", ["other.example"], "Add arena.example to ALLOWED_HOSTS"),
        ("SECRET_KEY", "short", "SECRET_KEY"),
    ],
)
def test_settings_that_do_not_fit_are_named(production: Settings, name: str, value: Any, to_do: str) -> None:
    setattr(production, name, value)
    assert to_do in only("settings")[1]


def test_error_pages_that_show_code_are_named(production: Settings) -> None:
    production.DEBUG = True
    assert "ARENA_DEBUG=false" in {finding.to_do[4:21] for finding in bad("settings")}


def test_a_mistyped_variable_is_named_with_the_one_that_was_meant(
    production: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SMTP_HOTS", "mail.example")
    assert only("settings") == (
        "warning",
        "ARENA_SMTP_HOTS is set, but nothing reads it. Did you mean ARENA_SMTP_HOST?",
    )


def test_a_missing_migration_is_named() -> None:
    assert bad("database") == []
    with connection.cursor() as cursor:
        cursor.execute("delete from django_migrations where app = 'outbox'")
    verdict, said = only("database")
    assert (verdict, "outbox.0001" in said, "manage.py migrate" in said) == ("wrong", True, True)


def test_a_database_that_is_down_is_said_and_the_rest_is_examined(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    connection.close()
    try:
        found = list(examine(["database", "disk"]))
    finally:
        monkeypatch.undo()
        connection.close()
    assert "The database does not answer" in found[0][1].sentence
    assert found[-1][0] == "disk"


def test_a_redis_that_is_down_or_forgets_is_named(redis: Redis, settings: Settings) -> None:
    before = redis.config_get("maxmemory-policy", "appendonly")
    redis.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert "Set maxmemory-policy noeviction: queues are keys too." in [
            each.to_do for each in bad("redis")
        ]
    finally:
        redis.config_set("maxmemory-policy", before["maxmemory-policy"])
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    assert only("redis") == ("wrong", only("redis")[1])
    assert "Start Redis, or correct REDIS_URL." in only("queues")[1]


def test_a_queue_without_a_worker_and_late_work_are_named(redis: Redis) -> None:
    for queue in QUEUES:
        health.note_consumption(queue)
    assert bad("queues") == []
    redis.delete(health.CONSUMED.format(queue="calls"))
    verdict, said = only("queues")
    assert (verdict, "worker -Q calls" in said) == ("wrong", True)
    health.note_consumption("calls")
    Outbox.objects.create(kind="settle", payload={}, created_at=Now() - timedelta(minutes=6))
    verdict, said = only("queues")
    assert (verdict, "owed work (settle)" in said) == ("warning", True)


@pytest.mark.parametrize(("seconds", "verdict"), [(5, "warning"), (-90, "wrong")])
def test_a_host_whose_clock_is_off_is_named(redis: Redis, seconds: float, verdict: str) -> None:
    hosts.beat("alpha", HOST_STATE)
    assert "does not tell its clock" in only("clocks")[1]
    health.note_clock("alpha", 0.1)
    assert bad("clocks") == []
    health.note_clock("alpha", seconds)
    assert only("clocks")[0] == verdict
    assert "alpha's clock" in only("clocks")[1]


def test_nonsense_instead_of_a_clock_is_ignored(redis: Redis) -> None:
    for clock in ("", "noon", "\0"):
        note_clock("alpha", clock)
    assert health.clock_of("alpha") is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"trouble": "its disk is full"}, "its disk is full"),
        ({"paused": True}, "Resume it"),
        ({"last_beat": Now() - timedelta(minutes=5)}, "No match host is online"),
        ({"degraded": True}, "plays no rated matches"),
        (
            {"languages": {"Go": {"works": False, "missing": True, "trouble": "no go"}}},
            "MATCH_HOST_LANGUAGES",
        ),
        ({"languages": {"Go": {"works": False, "missing": False, "trouble": "it fails"}}}, "it fails"),
    ],
)
def test_a_host_that_does_not_play_is_named(settings: Settings, change: dict[str, Any], said: str) -> None:
    settings.RATED_ON_DEGRADED_HOSTS = False
    assert "No match host is online" in only("hosts")[1]
    hosts.beat("alpha", HOST_STATE)
    assert bad("hosts") == []
    Host.objects.update(**change)
    assert said in " ".join(f"{each.sentence} {each.to_do}" for each in bad("hosts"))


def test_a_storage_that_cannot_be_written_is_named(settings: Settings, tmp_path: Path) -> None:
    assert bad("storage") == []
    (tmp_path / "file").write_text("no folder")
    settings.MEDIA_ROOT = tmp_path / "file"
    verdict, said = only("storage")
    assert (verdict, str(tmp_path) in said) == ("wrong", True)


class MailServer(socketserver.StreamRequestHandler):
    """Greets, and takes every command."""

    def handle(self) -> None:
        self.wfile.write(b"220 mail.example\r\n")
        while line := self.rfile.readline():
            self.wfile.write(b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 fine\r\n")


@contextmanager
def mail_server() -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailServer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_mail_server_that_is_missing_or_down_is_named(settings: Settings) -> None:
    settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_USE_TLS = False
    assert only("mail") == ("warning", "No mail server is set: mails are only logged. Set ARENA_SMTP_HOST.")
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    verdict, said = only("mail")
    assert (verdict, "127.0.0.1:9 does not take mail" in said) == ("wrong", True)
    with mail_server() as settings.EMAIL_PORT:
        assert bad("mail") == []


def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.operations.examine_outside.TOO_LITTLE", 2**80)
    assert only("disk")[0] == "wrong"
    monkeypatch.setattr("arena.operations.examine_outside.TOO_LITTLE", 0)
    monkeypatch.setattr("arena.operations.examine_outside.LITTLE", 2**80)
    assert only("disk")[0] == "warning"


@pytest.mark.parametrize(
    ("name", "days", "verdict", "said"),
    [
        ("localhost", 90, "ok", ""),
        ("localhost", 5, "warning", "valid for 5 more days"),
        ("localhost", -2, "wrong", "expired"),
        ("other.example", 90, "wrong", "Browsers refuse"),
    ],
)
def test_a_certificate_is_checked_as_a_browser_does(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
    days: int,
    verdict: str,
    said: str,
) -> None:
    certificate = write_certificate(tmp_path / "certificate.pem", name, days)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with https_server(certificate) as port:
        settings.SITE_URL = f"https://localhost:{port}"
        [(_, finding)] = examine(["certificate"])
    assert (finding.verdict, said in finding.sentence) == (verdict, True)


def test_a_site_that_cannot_be_reached_is_named(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings.SITE_URL = f"https://127.0.0.1:{taken.getsockname()[1]}"
    assert "cannot be reached" in only("certificate")[1]


def test_the_command_prints_what_to_do_and_exits_with_1_if_something_is_wrong(redis: Redis) -> None:
    out = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor", "--only", "hosts", "disk", stdout=out, no_color=True)
    assert "wrong    hosts: No match host is online" in out.getvalue()
    assert "→ Start one" in out.getvalue()
    assert out.getvalue().endswith("1 ok, 0 warnings, 1 wrong\n")
    hosts.beat("alpha", HOST_STATE)
    call_command("doctor", "--only", "hosts", stdout=StringIO())


def test_the_command_speaks_json(redis: Redis) -> None:
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", "--json", stdout=out)
    found = json.loads(out.getvalue())
    assert {entry["check"] for entry in found} == set(EXAMINATIONS)
    assert all(set(entry) == {"check", "verdict", "sentence", "to_do"} for entry in found)
