"""One arena of real processes for all fault tests: each breaks it, sees it heal, and leaves it whole."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.faults.harness import RunningArena


@pytest.fixture(scope="session")
def running_arena(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> "Iterator[RunningArena]":
    from tests.faults.harness import RunningArena  # once Django is set up

    arena = RunningArena(tmp_path_factory.mktemp("arena"))
    try:
        for server in arena.servers:
            arena.start_server(server)
        arena.migrate()
        for program in ("web", "arena", "scheduler"):
            arena.start(program)
        arena.start_host("host-1")
        with django_db_blocker.unblock(), arena.database():
            yield arena
    finally:
        arena.end()
