"""gRPC still has the choices that hosts and bots make of how it polls."""

import os
import subprocess
import sys

import pytest

from workers.polling import POLLING
from workers.runtimes.kit import open_kit

LISTEN = "import workers.host, grpc; grpc.server(None).add_insecure_port('localhost:0')"


def listen(environment: dict[str, str]) -> str:
    """What gRPC has to say about its environment."""
    done = subprocess.run(
        [sys.executable, "-c", LISTEN],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def test_grpc_knows_every_choice() -> None:
    assert "Unknown experiment" not in listen({})
    assert "Unknown experiment" not in listen(POLLING)


@pytest.mark.parametrize("name", POLLING)
def test_grpc_would_tell_of_a_choice_it_does_not_know(name: str) -> None:
    assert "Unknown experiment: engine_of_events" in listen({name: "-engine_of_events"})


def test_bots_poll_as_their_hosts_do() -> None:
    assert POLLING.items() <= open_kit().env.items()
