"""One arena of real processes for all fault tests: each breaks it, sees it heal, and leaves it whole."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.faults.harness import RunningArena


@pytest.fixture(scope="session")
def running_arena(django_db_blocker: Any) -> "Iterator[RunningArena]":
    from tests.faults.harness import RunningArena, wait_for  # once Django is set up

    folder = Path(tempfile.mkdtemp(prefix="arena-faults-"))  # not pytest's, which sandboxes cannot reach
    arena = RunningArena(folder)
    try:
        for server in arena.servers:
            arena.start_server(server)
        arena.migrate()
        for program in ("web", "arena", "calls", "heavy", "scheduler"):
            arena.start(program)
        arena.start_host("host-1")
        with django_db_blocker.unblock(), arena.database():
            wait_for(lambda: arena.is_ready("host-1"), "the first host")
            yield arena
    finally:
        arena.end()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Any:
    """Show with a failure what the arena's programs said last."""
    report = yield
    arena = getattr(item, "funcargs", {}).get("running_arena")
    if report.failed and arena:
        for file in sorted(arena.home.logs.glob("*.log")):
            lines = file.read_text(errors="replace").splitlines()[-15:]
            report.sections.append((file.name, "\n".join(lines)))
    return report
