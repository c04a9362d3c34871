"""Match hosts are let in by their key, one attempt at a time by its token."""

import json
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client

from arena.hosts import live_frames
from arena.hosts import signing as tokens
from arena.hosts.models import Attempt, Host
from arena.matches.models import Match
from tests.arena.cast import HOST_STATE, KEY, ask_for, make_bot, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return ask_for([make_bot("one"), make_bot("two")])


class FakeHost:
    """Speaks HTTP as a host does."""

    def __init__(self, client: Client, match: Match, key: str = KEY) -> None:
        self.client = client
        self.attempt = Attempt.objects.get(match=match)
        self.headers = {
            "Authorization": f"Bearer {settings.HOST_KEY}",
            "X-Attempt-Token": tokens.sign_attempt(self.attempt.pk),
            "X-Attempt-Key": key,
        }

    def post(self, verb: str, data: Any, **headers: str) -> tuple[int, Any]:
        return self.call(f"/host/v1/attempts/{self.attempt.pk}/{verb}", data, **headers)

    def call(self, path: str, data: Any, **headers: str) -> tuple[int, Any]:
        answer = self.client.post(path, data, "application/json", headers={**self.headers, **headers})
        return answer.status_code, answer.json()

    def beat(self) -> tuple[int, Any]:
        return self.call("/host/v1/hosts/alpha/beat", HOST_STATE)


@pytest.fixture
def host(client: Client, match: Match) -> FakeHost:
    host = FakeHost(client, match)
    host.beat()
    return host


def test_a_host_beats_claims_and_reports(host: FakeHost, match: Match) -> None:
    assert Host.objects.get().sandbox == "bubblewrap"
    status, orders = host.post("claim", {"host": "alpha"})
    assert status == 200
    assert orders["match"]["seed"] == bytes(match.seed).hex()
    assert [bot["name"] for bot in orders["bots"]] == ["one", "two"]
    assert host.post("beat", {}) == (200, {"abandon": False})
    assert host.post("report", report_of(match)) == (200, {"recorded": True})
    assert host.post("report", report_of(match)) == (200, {"recorded": True})
    assert host.post("beat", {}) == (200, {"abandon": True})


def test_nobody_comes_in_without_the_hosts_key(host: FakeHost) -> None:
    for key in ("", "Bearer wrong"):
        status, answer = host.post("claim", {"host": "alpha"}, Authorization=key)
        assert (status, "ARENA_HOST_KEY" in answer["reason"]) == (401, True)
    assert Attempt.objects.get().state == "queued"


def test_a_token_is_good_for_its_own_attempt_only(host: FakeHost, match: Match) -> None:
    other = ask_for([seat.version for seat in match.seats_taken.all()])
    token = tokens.sign_attempt(Attempt.objects.get(match=other).pk)
    for wrong in (token, "", "x" * 40):
        status, _ = host.post("claim", {"host": "alpha"}, **{"X-Attempt-Token": wrong})
        assert status == 403


def test_a_report_with_another_key_is_refused(host: FakeHost, match: Match) -> None:
    host.post("claim", {"host": "alpha"})
    status, answer = host.post("report", report_of(match), **{"X-Attempt-Key": "y" * 40})
    assert (status, answer["reason"]) == (409, "This attempt is not yours.")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[" * 100_000, b'{"host": 7}', b'{"host": "a", "x": 1}'])
def test_nonsense_is_answered_with_a_reason(host: FakeHost, body: bytes) -> None:
    path = f"/host/v1/attempts/{host.attempt.pk}/claim"
    answer = host.client.post(path, body, "application/json", headers=host.headers)
    assert answer.status_code == 400
    assert answer.json()["reason"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'{"a": "\\ud800\\u0000"}']
)
def test_a_report_that_cannot_be_read_ends_the_attempt_at_once(host: FakeHost, body: bytes) -> None:
    host.post("claim", {"host": "alpha"})
    path = f"/host/v1/attempts/{host.attempt.pk}/report"
    answer = host.client.post(path, body, "application/json", headers=host.headers)
    assert (answer.status_code, "cannot be true" in answer.json()["reason"]) == (409, True)
    assert [attempt.state for attempt in Attempt.objects.order_by("pk")] == ["refused", "queued"]


ODD = [
    b'"a\\u0000"',
    b'"\\ud800"',
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"-1",
    b"99999999999999999999",
    b"[]",
    b"{}",
]


@pytest.mark.parametrize("odd", ODD)
def test_odd_values_of_a_host_are_refused_with_a_reason(host: FakeHost, odd: bytes) -> None:
    host.post("claim", {"host": "alpha"})
    bodies = {
        f"attempts/{host.attempt.pk}/claim": {"host": "alpha"},
        f"attempts/{host.attempt.pk}/give-back": {"note": "full", "host_at_fault": True},
        f"attempts/{host.attempt.pk}/frames": {"frames": [{"step": 1}]},
        "hosts/alpha/beat": HOST_STATE,
    }
    for path, body in bodies.items():
        for name in body:
            raw = json.dumps({**body, name: "ODD"}).encode().replace(b'"ODD"', odd)
            answer = host.client.post(f"/host/v1/{path}", raw, "application/json", headers=host.headers)
            assert answer.status_code in {400, 409} or odd == b"[]", (path, name)
            assert answer.status_code == 200 or answer.json()["reason"]
    for name in ("%00", "a%00b", "x" * 101):
        path = f"/host/v1/hosts/{name}/beat"
        answer = host.client.post(path, HOST_STATE, "application/json", headers=host.headers)
        assert answer.status_code in {400, 404}


def test_archives_come_through_addresses_that_are_signed(host: FakeHost, match: Match) -> None:
    version = match.seats_taken.get(seat=0).version
    version.archive.save("", ContentFile(b"the archive"))
    path = tokens.archive_path(version.pk, "source")
    assert host.client.get(path, headers=host.headers).content == b"the archive"
    assert host.client.get(path).status_code == 401
    assert host.client.get(path[:-2] + "xx", headers=host.headers).status_code == 403


def test_frames_go_to_spectators(host: FakeHost, match: Match, redis: Any) -> None:
    host.post("claim", {"host": "alpha"})
    assert host.post("frames", {"frames": [{"step": 1, "events": []}]})[0] == 200
    [(_, entry)] = redis.xrange(live_frames.stream_key(match.public_id))
    assert entry[b"frame"] == b'{"step":1,"events":[]}'
    host.post("report", report_of(match))
    assert host.post("frames", {"frames": []})[0] == 409
