"""Calls to authors' own servers: a real one listens here."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.test import Client
from redis import Redis

from arena.matches import webhooks
from arena.matches.deliveries import make_calls
from arena.matches.models import Match, Webhook, WebhookDelivery
from arena.matches.settling import settle
from tests.arena.cast import ask_for, finish, make_bot

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
def match(settings: Any, listener: Listener, redis: Redis) -> Match:
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
    make_calls(Webhook.objects.get().owner_id)
    [(headers, body)] = listener.calls
    told = json.loads(body)
    assert (told["event"], told["match"]["id"]) == ("match.finished", match.public_id)
    assert {seat["bot"] for seat in told["match"]["seats"]} == {"one", "two"}
    secret = Webhook.objects.get().secret.encode()
    assert headers["X-Arena-Signature"] == "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
    assert WebhookDelivery.objects.get().delivered_at


@pytest.mark.parametrize(
    "url", ["http://example.org/", "https://me:pass@example.org/", "ftp://example.org/", "https:///x"]
)
def test_only_plain_https_addresses_are_taken(url: str) -> None:
    with pytest.raises(webhooks.AddressError):
        webhooks.check_url(url)


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "0.0.0.0", "localhost"])
def test_addresses_of_our_own_network_are_never_called(host: str) -> None:
    with pytest.raises(webhooks.AddressError):
        webhooks.public_address(host, 443)


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
