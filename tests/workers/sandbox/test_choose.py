"""A host checks what it can enforce before it takes matches, and refuses when it cannot isolate."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.workers.sandbox.conftest import PROJECT, open_launcher
from workers.sandbox.base import Enforced, IsolationError, Launch, SandboxSettings
from workers.sandbox.choose import open_sandbox, settings_from_environment
from workers.sandbox.resource_groups import descendants

HOST = """
import asyncio, sys
from pathlib import Path
from workers.sandbox.base import Launch, SandboxSettings
from workers.sandbox.choose import open_sandbox

async def main():
    sandbox = await open_sandbox(SandboxSettings(first_uid=71_200))
    for _ in range(3):
        await sandbox.start(Launch("python", Path(sys.argv[1]), "bot.py"))
    print(sandbox.fork_client.process.pid, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


async def test_no_isolation_is_refused_unless_a_loud_setting_says_so() -> None:
    with pytest.raises(IsolationError, match="ARENA_ALLOW_NO_ISOLATION=true"):
        await open_sandbox(SandboxSettings(kind="none"))


async def test_no_isolation_runs_bots_on_an_authors_own_machine_and_ends_their_children(
    bot_folder: Path,
) -> None:
    sandbox = await open_sandbox(SandboxSettings(kind="none", allow_no_isolation=True))
    program = "import os, subprocess\nprint(os.getuid(), subprocess.Popen(['sleep', '3600']).pid)"
    (bot_folder / "bot.py").write_text(program)
    exit_ = await (await sandbox.start(Launch("python", bot_folder, "bot.py"))).wait()
    uid, child = map(int, exit_.output.split())
    assert uid == os.getuid()
    fork_server = sandbox.fork_client.process.pid
    while child in [process.pid for process in descendants(fork_server)]:  # noqa: ASYNC110  killed, not yet reaped
        await asyncio.sleep(0.01)
    await sandbox.close()


async def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(IsolationError, match="choose bubblewrap, gvisor or none"):
        await open_sandbox(SandboxSettings(kind="chroot"))


@pytest.mark.parametrize(("kind", "package"), [("bubblewrap", "bubblewrap"), ("gvisor", "runsc")])
async def test_a_missing_tool_is_named(kind: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(IsolationError, match=f"apt-get install {package}"):
        await open_sandbox(SandboxSettings(kind=kind))


async def test_a_host_that_cannot_isolate_takes_no_matches(
    bot_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here because bubblewrap fails, as it does in a container that forbids namespaces."""
    broken = bot_folder / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bot_folder}:{os.environ['PATH']}")
    with pytest.raises(IsolationError, match="No permissions to create new namespace"):
        await open_sandbox(SandboxSettings(warm=False))


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SANDBOX", "gvisor")
    monkeypatch.setenv("ARENA_WARM_START", "no")
    monkeypatch.setenv("ARENA_SANDBOX_SLOTS", "8")
    assert settings_from_environment() == SandboxSettings(kind="gvisor", warm=False, slots=8)


def test_what_is_in_force_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        sandbox = open_launcher()
    asyncio.run(sandbox.close())
    assert str(sandbox.enforced) in caplog.text
    assert sandbox.enforced.kind == "bubblewrap"
    if os.geteuid() == 0:
        assert sandbox.enforced.own_uids


def test_a_degraded_host_says_why() -> None:
    enforced = Enforced("bubblewrap", "rlimits", own_uids=False, warm=True, reasons=("No cgroup.",))
    assert enforced.degraded
    assert str(enforced) == (
        "sandbox bubblewrap, limits by rlimits, one uid for all sandboxes, warm start; degraded: No cgroup."
    )


def test_when_a_host_is_killed_its_sandboxes_die_with_it(bot_folder: Path) -> None:
    program = "import ctypes, time\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\ntime.sleep(3600)"  # wants to stay
    (bot_folder / "bot.py").write_text(program)
    with subprocess.Popen(
        [sys.executable, "-c", HOST, str(bot_folder)], stdout=subprocess.PIPE, cwd=PROJECT
    ) as host:
        assert host.stdout
        host.stdout.readline()  # it has started all of them
        family = descendants(host.pid)
        assert len(family) >= 5
        host.send_signal(signal.SIGKILL)
        host.wait()
    while any(Path(f"/proc/{process.pid}").exists() for process in family):
        time.sleep(0.01)
    open_keeper_and_close()
    assert not list(Path("/sys/fs/cgroup").rglob(f"aztlan-{host.pid}-*"))


def open_keeper_and_close() -> None:
    asyncio.run(open_launcher().close())
