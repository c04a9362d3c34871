"""Calls to authors' own servers: a real one listens here."""

import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from arena.matches import webhooks
from arena.matches.addresses import AddressError, check_url, is_public, public_address
from arena.matches.models import Match, Outbox, Webhook, WebhookDelivery
from arena.matches.outbox import deliver
from arena.matches.settling import settle
from tests.arena.cast import ask_for, finish, make_bot
from tests.arena.people import program_of

pytestmark = pytest.mark.django_db


class Listener:
    def __init__(self) -> None:
        self.calls: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                listener.calls.append(
                    (dict(self.headers), self.rfile.read(int(self.headers["Content-Length"])))
                )
                self.send_response(listener.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook?a=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.server.shutdown()
    listener.server.server_close()


@pytest.fixture
def match(settings: Any, listener: Listener) -> Match:
    settings.WEBHOOKS_TO_PRIVATE = True
    one = make_bot("one")
    Webhook.objects.create(owner=one.bot.owner, url=listener.url)
    match = ask_for([one, make_bot("two")])
    finish(match)
    settle([{"match": match.pk}])
    settle([{"match": match.pk}])
    return match


def test_a_finished_match_is_told_once_signed_with_the_webhooks_secret(
    match: Match, listener: Listener
) -> None:
    owed = Outbox.objects.get(kind="webhook")
    assert deliver(owed.pk, 0)
    [(headers, body)] = listener.calls
    told = json.loads(body)
    assert (told["event"], told["match"]["id"]) == ("match.finished", match.public_id)
    assert {seat["bot"] for seat in told["match"]["seats"]} == {"one", "two"}
    secret = Webhook.objects.get().secret.encode()
    assert headers["X-Arena-Signature"] == "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
    assert WebhookDelivery.objects.get().delivered_at


def test_a_failing_receiver_is_called_again_and_at_last_given_up(match: Match, listener: Listener) -> None:
    listener.status = 500
    owed = Outbox.objects.get(kind="webhook")
    for tries in range(webhooks.TRIES - 1):
        assert not deliver(owed.pk, tries)
    assert deliver(owed.pk, webhooks.TRIES - 1), "nothing is owed any more"
    assert len(listener.calls) == webhooks.TRIES
    assert WebhookDelivery.objects.get().answer == "HTTP 500"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://me:pass@example.org/",
        "https://@example.org/",
        "ftp://example.org/",
        "https:///x",
        "https://example.org:99999/",
        "https://example.org:0/",
        "https://example.org:x/",
        "https://[::1/",
        "https://a..b/",
        "https://" + "a" * 64 + ".org/",
        "https://example.org/a b",
        "https://example.org/a\r\nHost: b",
        "https://10.0.0.1/",
        "https://[64:ff9b::7f00:1]/",
        "https://[::ffff:127.0.0.1]/",
    ],
)
def test_only_plain_https_addresses_are_taken(client: Client, url: str) -> None:
    with pytest.raises(AddressError):
        check_url(url)
    owner = make_bot("one").bot.owner
    client.force_login(owner)
    assert client.post("/webhooks/", {"url": url}).status_code == 200
    assert program_of(owner).post("/api/v1/webhooks", {"url": url}).status_code == 400
    assert not Webhook.objects.exists()


PRIVATE = [
    "127.0.0.1", "127.1", "2130706433", "0x7f.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "localhost",
    "100.64.0.1", "172.16.0.1", "192.168.1.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "168.63.129.16",
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1",
    "100::1", "2001::1", "2001:0:7f00:1::", "2001:db8::1", "2001:20::1", "2002:7f00:1::", "2002:808:808::",
    "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "ff0e::1",
]  # fmt: skip


@pytest.mark.parametrize("host", PRIVATE)
def test_addresses_that_are_not_of_the_public_network_are_never_called(host: str) -> None:
    with pytest.raises(AddressError):
        public_address(host, 443)


@pytest.mark.parametrize("host", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"])
def test_addresses_of_the_public_network_may_be_called(host: str) -> None:
    assert public_address(host, 443) == host


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["::", "::ffff:0:0", "64:ff9b::", "2002::", "fec0::", "ff0e::"]),
)
def test_no_ipv4_address_is_reached_in_the_clothes_of_ipv6(number: int, prefix: str) -> None:
    base = int(IPv6Address(prefix))
    shifted = number << 80 if prefix == "2002::" else number
    assert not is_public(str(IPv6Address(base + shifted)))


@given(st.ip_addresses())
def test_only_what_python_too_takes_for_global_is_public(address: IPv4Address | IPv6Address) -> None:
    assert address.is_global or not is_public(str(address))


def test_a_name_that_answers_differently_at_the_second_look_up_gains_nothing(
    monkeypatch: pytest.MonkeyPatch, listener: Listener
) -> None:
    """Only the look-up is replaced: nobody here has a name server that lies."""
    port = listener.server.server_address[1]
    answers = iter(["93.184.215.14", "127.0.0.1"])

    def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    connected: list[str] = []

    def connect(address: tuple[str, int], *_: Any, **__: Any) -> Any:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        webhooks.call(f"https://rebind.example:{port}/", b"{}", {})
    assert connected == ["93.184.215.14"]
    assert listener.calls == []


@pytest.mark.parametrize("path", ["/weg/ä?ö=ü", "/%C3%A4", "/"])
def test_an_address_with_letters_beyond_ascii_is_called(settings: Any, listener: Listener, path: str) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    assert webhooks.call(listener.url.replace("/hook?a=1", path), b"{}", {}) == 200


def test_what_is_owed_to_a_deleted_webhook_is_struck_off(match: Match, listener: Listener) -> None:
    Webhook.objects.get().delete()
    assert deliver(Outbox.objects.get(kind="webhook").pk, 0)
    assert listener.calls == []
    assert not Outbox.objects.filter(kind="webhook").exists()


def test_an_address_that_can_no_longer_be_read_is_given_up(match: Match) -> None:
    Webhook.objects.update(url="https://example.org:99999/")
    owed = Outbox.objects.get(kind="webhook")
    for tries in range(webhooks.TRIES - 1):
        assert not deliver(owed.pk, tries)
    assert deliver(owed.pk, webhooks.TRIES - 1)
    assert "AddressError" in WebhookDelivery.objects.get().answer


def test_authors_manage_their_own_webhooks(client: Client) -> None:
    owner = make_bot("one").bot.owner
    client.force_login(owner)
    assert client.post("/webhooks/", {"url": "https://example.org/hook"}).status_code == 302
    assert b"example.org/hook" in client.get("/webhooks/").content
    assert client.post("/webhooks/", {"url": "http://example.org/hook"}).status_code == 200
    webhook = Webhook.objects.get()
    client.force_login(make_bot("two").bot.owner)
    assert client.post(f"/webhooks/{webhook.pk}/delete").status_code == 404
    client.force_login(owner)
    client.post(f"/webhooks/{webhook.pk}/delete")
    assert not Webhook.objects.exists()
