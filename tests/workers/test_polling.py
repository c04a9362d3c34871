"""gRPC still has the choices that hosts and bots make of how it polls, and is told of them in time."""

import os
import subprocess
import sys

import pytest

from workers.polling import POLLING
from workers.runtimes.kit import open_kit

LISTEN = "import grpc; grpc.server(None).add_insecure_port('localhost:0')"
HOST = """
import os, sys
import workers.app
assert "grpc" not in sys.modules
workers.app.load_grpc()
assert "grpc.aio" in sys.modules
print(os.environ[{!r}])
"""


def run(program: str, environment: dict[str, str]) -> tuple[str, str]:
    """What a Python program writes, with these of the variables and none of ours."""
    kept = {name: value for name, value in os.environ.items() if name not in POLLING}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**kept, "REDIS_URL": "redis://localhost", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def test_grpc_knows_every_choice() -> None:
    assert "Unknown experiment" not in run(LISTEN, POLLING)[1]


@pytest.mark.parametrize("name", POLLING)
def test_grpc_would_tell_of_a_choice_it_does_not_know(name: str) -> None:
    assert "Unknown experiment: engine_of_events" in run(LISTEN, {name: "-engine_of_events"})[1]


@pytest.mark.parametrize("name", POLLING)
def test_a_host_chooses_before_it_imports_grpc_unless_its_operator_did(name: str) -> None:
    assert run(HOST.format(name), {})[0] == POLLING[name]
    assert run(HOST.format(name), {name: "fuse_filters"})[0] == "fuse_filters"


def test_bots_poll_as_their_hosts_do() -> None:
    assert POLLING.items() <= open_kit().env.items()
