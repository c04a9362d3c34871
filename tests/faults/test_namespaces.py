"""Two match hosts in network namespaces of their own: they reach Redis and the arena's HTTP, nothing else."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from arena.hosts.services import set_paused
from tests.faults.harness import Contest, RunningArena, wait_for

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="making network namespaces needs root"),
    pytest.mark.skipif(shutil.which("ip") is None, reason="making network namespaces needs iproute2"),
]
BRIDGE, NETWORK = "aztlan-t0", "10.213.7"


def ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True)


class Forwarder:
    """Listens on an address and passes bytes on to another: the one opening in a wall."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.listener = socket.create_server(address)
        self.port = self.listener.getsockname()[1]

    def forward_to(self, family: int, target: "str | tuple[str, int]") -> "Forwarder":
        threading.Thread(target=self.serve, args=(family, target), daemon=True).start()
        return self

    def serve(self, family: int, target: object) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:  # closed: the test is over
                return
            far = socket.socket(family)
            try:
                far.connect(target)  # type: ignore[arg-type]  # of any family
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=pump, args=(one, other), daemon=True).start()

    def close(self) -> None:
        self.listener.close()


def pump(one: socket.socket, other: socket.socket) -> None:
    try:
        while data := one.recv(65536):
            other.sendall(data)
    except OSError:
        pass
    finally:
        for side in (one, other):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def namespaces() -> Iterator[list[str]]:
    """Two namespaces, each with one cable to a bridge, and no way further."""
    with ExitStack() as undo:
        try:
            ip(f"link add {BRIDGE} type bridge")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"this machine makes no bridges: {error.stderr.decode().strip()}")
        undo.callback(ip, f"link del {BRIDGE}")
        ip(f"addr add {NETWORK}.1/24 dev {BRIDGE}")
        ip(f"link set {BRIDGE} up")
        names = []
        for number in (2, 3):
            name = f"aztlan-n{number}"
            ip(f"netns add {name}")
            undo.callback(ip, f"netns del {name}")
            ip(f"link add {name} type veth peer name eth0 netns {name}")
            ip(f"link set {name} master {BRIDGE} up")
            ip(f"-n {name} addr add {NETWORK}.{number}/24 dev eth0")
            ip(f"-n {name} link set eth0 up")
            ip(f"-n {name} link set lo up")
            names.append(name)
        yield names


def can_connect(namespace: str, host: str, port: int) -> bool:
    code = f"import socket; socket.create_connection(({host!r}, {port}), 2)"
    done = subprocess.run(["ip", "netns", "exec", namespace, sys.executable, "-c", code], capture_output=True)
    return done.returncode == 0


def test_hosts_in_namespaces_of_their_own_play_with_redis_and_http_alone(
    running_arena: RunningArena, namespaces: list[str]
) -> None:
    with ExitStack() as undo:
        http = Forwarder((f"{NETWORK}.1", 0)).forward_to(socket.AF_INET, ("127.0.0.1", running_arena.port))
        redis = Forwarder((f"{NETWORK}.1", 0)).forward_to(
            socket.AF_UNIX, str(running_arena.home.redis_socket)
        )
        for forwarder in (http, redis):
            undo.callback(forwarder.close)
        set_paused("host-1", True)
        undo.callback(set_paused, "host-1", False)
        for name in namespaces:
            assert can_connect(name, f"{NETWORK}.1", http.port)
            assert not can_connect(name, "127.0.0.1", running_arena.port), "the arena's own machine"
            assert not can_connect(name, f"{NETWORK}.1", running_arena.port), "its other ports"
            assert not can_connect(name, "1.1.1.1", 53), "the world"
            running_arena.start_host(
                name,
                namespace=name,
                ARENA_URL=f"http://{NETWORK}.1:{http.port}",
                REDIS_URL=f"redis://{NETWORK}.1:{redis.port}/0",
            )
            undo.callback(running_arena.stop, name)
        for name in namespaces:
            wait_for(lambda name=name: running_arena.is_ready(name), "each host comes up")
        contest = Contest()
        contest.ask(8)
        contest.wait_until_settled()
        assert {attempt.host for attempt in contest.attempts()} == set(namespaces)
