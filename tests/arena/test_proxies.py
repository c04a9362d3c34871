"""Where a request comes from is what the network says, or what a proxy that was named says."""

import os
import re
import subprocess
import sys
from io import BytesIO

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIRequest
from pytest_django import Settings

from arena.accounts.client_address import client_network
from arena.body_limit import Receive, Scope, Send
from arena.embedded.home import PROJECT
from arena.proxies import believe_proxies
from arena.up.programs import WEB

CLAIM = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}


async def seen_from(peer: str, headers: dict[str, str]) -> tuple[str, bool]:
    """Return the client that the arena sees, and whether it takes the request as one over HTTPS."""
    seen = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        request = ASGIRequest(scope, BytesIO())
        seen.append((client_network(request), request.is_secure()))

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "scheme": "http",
        "client": (peer, 4711),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }
    await ApplicationCommunicator(believe_proxies(application), scope).wait()
    [found] = seen
    return found


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "198.51.100.1"])
async def test_nobody_is_believed_where_no_proxy_is_named(settings: Settings, peer: str) -> None:
    settings.PROXIES = []
    network = {"::1": "::/64"}.get(peer, peer)
    assert await seen_from(peer, CLAIM) == (network, False)


async def test_only_the_named_proxies_are_believed(settings: Settings) -> None:
    settings.PROXIES = ["10.0.0.0/8", "127.0.0.1"]
    assert await seen_from("10.1.2.3", CLAIM) == ("203.0.113.7", True)
    assert await seen_from("127.0.0.1", CLAIM) == ("203.0.113.7", True)
    assert await seen_from("198.51.100.1", CLAIM) == ("198.51.100.1", False)


async def test_what_a_client_told_its_proxy_is_not_believed(settings: Settings) -> None:
    settings.PROXIES = ["10.0.0.1", "10.0.0.2"]
    chain = {"X-Forwarded-For": "1.1.1.1, 203.0.113.7, 10.0.0.2"}
    assert await seen_from("10.0.0.1", chain) == ("203.0.113.7", False)


@pytest.mark.parametrize("odd", ["", "nonsense", "\x00", "999.1.1.1", "[::", "fe80::1%eth0", "," * 1000])
async def test_an_address_that_is_none_does_no_harm(settings: Settings, odd: str) -> None:
    settings.PROXIES = ["10.0.0.1"]
    network, _ = await seen_from("10.0.0.1", {"X-Forwarded-For": odd})
    assert len(network) <= 64


def test_every_command_keeps_uvicorn_from_believing_programs_on_its_machine() -> None:
    listed = subprocess.run(
        ["git", "grep", "-lE", "uvicorn.*arena.asgi"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    starts = re.compile(r"uvicorn[\"', ]+arena\.asgi:application.*")
    for path in listed:
        for command in starts.findall((PROJECT / path).read_text()):
            assert "--no-proxy-headers" in command, path
    assert "--no-proxy-headers" in WEB.split()


def test_a_proxy_that_is_no_address_ends_the_program_with_a_sentence() -> None:
    for name, value, said in (
        ("ARENA_PROXIES", "10.0.0.0/8,nginx", "ARENA_PROXIES must be addresses or networks"),
        ("ARENA_BEHIND_PROXY", "true", "ARENA_BEHIND_PROXY is no longer read"),
    ):
        command = [sys.executable, "-c", "import arena.settings"]
        ended = subprocess.run(
            command, env={**os.environ, name: value}, cwd=PROJECT, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 1
        assert ended.stderr.startswith(said)
