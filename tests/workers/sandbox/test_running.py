"""What the match runner can count on: how sandboxes start and end, and whose fault it is."""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from tests.workers.sandbox.conftest import Run, open_launcher
from workers.sandbox.base import Ending, Launch, ResourceLimits, Running, SandboxError, open_run_folder
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.resource_groups import Process, descendants

CALLER = """
import os, socket
seat = socket.socket(socket.AF_UNIX)
seat.connect(os.environ["AZTLAN_SOCKET"])
seat.send(b"hi")
"""
FOREVER = "import time\nprint('here', flush=True)\ntime.sleep(3600)\n"


async def start(
    sandbox: SandboxLauncher, folder: Path, program: str, socket_path: Path | None = None
) -> Running:
    (folder / "bot.py").write_text(program)
    return await sandbox.start(Launch("python", folder, "bot.py", socket=socket_path))


async def start_and_wait(sandbox: SandboxLauncher, launch: Launch) -> None:
    await (await sandbox.start(launch)).wait()


def exists(process: Process) -> bool:
    return Path(f"/proc/{process.pid}").exists()


async def until_output(running: Running) -> None:
    waiting = asyncio.create_task(running.wait())
    while not running.output_tail().endswith(b"\n"):
        assert not waiting.done(), f"it ended without output: {waiting.result()}"
        await asyncio.sleep(0.01)
    waiting.cancel()


async def test_an_exit_tells_the_code_the_output_and_the_time(run: Run) -> None:
    exit_ = await run(
        "import sys\nprint('said')\nprint('cried', file=sys.stderr)\nsum(range(10**6))\nsys.exit(7)"
    )
    assert (exit_.ending, exit_.code, exit_.signal) == (Ending.EXITED, 7, None)
    assert exit_.output == b"said\ncried\n"
    assert exit_.reason == "it exited with code 7"
    assert exit_.cpu_seconds > 0
    assert exit_.wall_seconds > 0


async def test_a_program_ends_as_python_programs_do(run: Run) -> None:
    exit_ = await run(
        "import atexit, sys, threading, time\n"
        "atexit.register(print, 'at the end')\n"
        "threading.Thread(target=lambda: (time.sleep(0.1), print('a thread'))).start()\n"
        "sys.exit('in words')"
    )
    assert (exit_.ending, exit_.code) == (Ending.EXITED, 1)
    assert sorted(exit_.output.split(b"\n")) == [b"", b"a thread", b"at the end", b"in words"]


async def test_an_authors_traceback_starts_in_their_own_file(run: Run) -> None:
    exit_ = await run("def fail():\n    raise ValueError('mine')\nfail()")
    assert exit_.code == 1
    assert b"boot.py" not in exit_.output
    assert exit_.output.startswith(b'Traceback (most recent call last):\n  File "/bot/bot.py", line 3')


async def test_a_crash_tells_its_signal(run: Run) -> None:
    exit_ = await run("import ctypes\nctypes.string_at(0)")
    assert (exit_.ending, exit_.signal) == (Ending.SIGNALLED, signal.SIGSEGV)


async def test_only_the_last_output_is_kept(run: Run) -> None:
    exit_ = await run("print('first' + 'x' * 100_000 + 'last')", limits={"output_kept": 100})
    assert exit_.output == b"x" * 95 + b"last\n"
    assert exit_.output_bytes == 100_010


async def test_time_on_the_wall_is_limited(run: Run) -> None:
    exit_ = await run(FOREVER, limits={"wall_seconds": 0.5})
    assert exit_.ending is Ending.WALL
    assert "0.5 seconds" in exit_.reason


async def test_a_program_has_few_variables_no_input_and_its_folder(run: Run) -> None:
    seen = "sorted(os.environ), sys.stdin.read(), os.getcwd(), os.listdir('.'), os.getpid()"
    exit_ = await run(f"import os, sys\nprint({seen})", env={"MORE": "1"})
    names = ["GRPC_EXPERIMENTS", "HOME", "LANG", "LD_LIBRARY_PATH", "MORE", "PATH", "PWD"]
    assert exit_.output.decode() == f"{names}  /bot ['bot.py'] 1\n"


async def test_randomness_differs_between_bots(run: Run) -> None:
    program = "import random, os, uuid\nprint(random.random(), os.urandom(4), uuid.uuid4())"
    assert (await run(program)).output != (await run(program)).output


async def test_threads_and_children_work(run: Run) -> None:
    exit_ = await run(
        "import multiprocessing, subprocess, sys, threading\n"
        "thread = threading.Thread(target=print, args=('thread',)); thread.start(); thread.join()\n"
        "process = multiprocessing.Process(target=print, args=('child',)); process.start(); process.join()\n"
        "with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-1, -2]))\n"
        "subprocess.run([sys.executable, '-I', '-c', 'print(1)'], check=True)\n"
    )
    assert exit_.output == b"thread\nchild\n[1, 2]\n1\n"


async def test_killing_is_final_and_may_be_repeated(sandbox: SandboxLauncher, bot_folder: Path) -> None:
    running = await start(sandbox, bot_folder, FOREVER)
    await until_output(running)
    running.kill("enough")
    running.kill("more than enough")
    first, second = await asyncio.gather(running.wait(), running.wait())
    assert first is second
    assert first.ending is Ending.KILLED
    assert first.reason == "stopped by the match host: enough"
    assert first.output == b"here\n"
    running.kill()
    assert await running.wait() is first


async def test_a_monitor_that_is_stopped_does_not_delay_the_end(
    sandbox: SandboxLauncher, bot_folder: Path
) -> None:
    fork_server = sandbox.fork_client.process.pid
    running = await start(sandbox, bot_folder, FOREVER)
    await until_output(running)
    os.kill(running.pid, signal.SIGSTOP)
    running.kill("enough")
    async with asyncio.timeout(30):
        assert (await running.wait()).reason == "stopped by the match host: enough"
    while [process.pid for process in descendants(fork_server)] != [fork_server]:  # noqa: ASYNC110  killed, not yet reaped
        await asyncio.sleep(0.01)


async def test_a_limit_ends_a_bot_whose_monitor_is_stopped(
    sandbox: SandboxLauncher, bot_folder: Path
) -> None:
    (bot_folder / "bot.py").write_text(FOREVER)
    launch = Launch("python", bot_folder, "bot.py", limits=ResourceLimits(wall_seconds=2))
    running = await sandbox.start(launch)
    os.kill(running.pid, signal.SIGSTOP)
    async with asyncio.timeout(30):
        assert (await running.wait()).ending is Ending.WALL


async def test_waiting_for_what_does_not_die_has_an_end_and_is_the_hosts_fault(
    bot_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here because the fork server is stopped, and reaps nobody."""
    monkeypatch.setattr("workers.sandbox.running_sandbox.DIE_WITHIN", 0.5)
    monkeypatch.setattr("workers.sandbox.fork_client.END_WITHIN", 0.5)
    sandbox = await asyncio.to_thread(open_launcher)
    running = await start(sandbox, bot_folder, FOREVER)
    await until_output(running)
    os.kill(sandbox.fork_client.process.pid, signal.SIGSTOP)
    running.kill()
    async with asyncio.timeout(30):
        with pytest.raises(SandboxError, match="does not die"):
            await running.wait()
    await sandbox.close()


async def test_killing_at_once_leaves_nothing(sandbox: SandboxLauncher, bot_folder: Path) -> None:
    """Whatever it is doing: being forked, being set up, running."""
    fork_server = sandbox.fork_client.process.pid
    for delay in range(10):
        (bot_folder / "bot.py").write_text(FOREVER)
        running = await sandbox.start(Launch("python", bot_folder, "bot.py"))
        await asyncio.sleep(delay / 500)
        running.kill()
        assert (await running.wait()).ending is Ending.KILLED
        assert [process.pid for process in descendants(fork_server)] == [fork_server]


async def test_whoever_waits_may_be_cancelled(sandbox: SandboxLauncher, bot_folder: Path) -> None:
    running = await start(sandbox, bot_folder, FOREVER)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(running.wait(), 0.05)
    running.kill()
    assert (await running.wait()).ending is Ending.KILLED


async def test_a_bot_finds_its_socket(sandbox: SandboxLauncher, bot_folder: Path) -> None:
    folder = open_run_folder()
    path = folder / "seat.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        server.setblocking(False)
        running = await start(sandbox, bot_folder, CALLER, path)
        connection, _ = await asyncio.get_running_loop().sock_accept(server)
        with connection:
            assert await asyncio.get_running_loop().sock_recv(connection, 10) == b"hi"
        assert (await running.wait()).code == 0
    path.unlink()
    folder.rmdir()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give each sandbox a uid")
async def test_sandboxes_that_run_at_once_have_uids_of_their_own(
    sandbox: SandboxLauncher, bot_folder: Path
) -> None:
    # Written once: the sandboxes read it while the next ones start.
    (bot_folder / "bot.py").write_text(FOREVER)
    running = [await sandbox.start(Launch("python", bot_folder, "bot.py")) for _ in range(3)]
    for one in running:
        await until_output(one)
    uids = {os.stat(f"/proc/{one.pid}").st_uid for one in running}  # noqa: PTH116  no Path of ours
    for one in running:
        one.kill()
        await one.wait()
    assert len(uids) == 3
    assert min(uids) >= 71_100


async def test_what_the_host_cannot_do_is_not_the_bots_fault(
    sandbox: SandboxLauncher, bot_folder: Path
) -> None:
    no_folder = Launch("python", bot_folder / "missing", "bot.py")
    no_socket = Launch("python", bot_folder, "bot.py", socket=bot_folder / "missing.sock")
    for launch in (no_folder, no_socket):
        with pytest.raises(SandboxError):
            await start_and_wait(sandbox, launch)
    assert not sandbox.running


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user reaches what is its own")
async def test_a_folder_that_no_sandbox_can_reach_is_named(
    sandbox: SandboxLauncher, bot_folder: Path
) -> None:
    closed = bot_folder / "closed"
    closed.mkdir(mode=0o700)
    (closed / "bot").mkdir()
    with pytest.raises(SandboxError, match="closed is closed to other users"):
        await sandbox.start(Launch("python", closed / "bot", "bot.py"))


async def test_a_lost_fork_server_is_the_hosts_fault_and_takes_its_bots_along(bot_folder: Path) -> None:
    sandbox = await asyncio.to_thread(open_launcher)
    running = await start(sandbox, bot_folder, FOREVER)
    await until_output(running)
    inside = descendants(running.pid)
    os.kill(sandbox.fork_client.process.pid, signal.SIGKILL)
    with pytest.raises(SandboxError, match="The fork server died"):
        await running.wait()
    assert not any(map(exists, inside))
    with pytest.raises(SandboxError, match="restart the match host"):
        await start(sandbox, bot_folder, FOREVER)
    await sandbox.close()


async def test_closing_ends_whatever_runs(bot_folder: Path) -> None:
    sandbox = await asyncio.to_thread(open_launcher)
    running = await start(sandbox, bot_folder, FOREVER)
    await sandbox.close()
    assert (await running.wait()).reason == "stopped by the match host: the match host is stopping"


async def test_a_slow_start_does_not_hold_up_the_others(sandbox: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "bot.py").write_text("print('done')")
    launch = Launch("python", bot_folder, "bot.py", limits=ResourceLimits(wall_seconds=30))
    running = await asyncio.gather(*(sandbox.start(launch) for _ in range(8)))
    exits = await asyncio.gather(*(one.wait() for one in running))
    assert [exit_.output for exit_ in exits] == [b"done\n"] * 8


async def test_a_start_that_is_called_off_leaves_nothing(sandbox: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "bot.py").write_text(FOREVER)
    starting = asyncio.create_task(sandbox.start(Launch("python", bot_folder, "bot.py")))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await asyncio.gather(*(one.wait() for one in sandbox.running))
    assert [process.pid for process in descendants(sandbox.fork_client.process.pid)] == [
        sandbox.fork_client.process.pid
    ]


async def test_the_fork_server_has_one_thread_and_opened_nothing(
    sandbox: SandboxLauncher, bot_folder: Path
) -> None:
    """Or what is forked from it would share more than memory that is copied on writing."""
    running = await start(sandbox, bot_folder, FOREVER)
    await until_output(running)
    fork_server = Path(f"/proc/{sandbox.fork_client.process.pid}")
    threads = len(list((fork_server / "task").iterdir()))
    opened = sorted(os.readlink(link).split(":")[0] for link in (fork_server / "fd").iterdir())  # noqa: PTH115  the text of the link
    running.kill()
    await running.wait()
    assert threads == 1
    # stdin, stdout and stderr; the control socket, the pair that wakes it, and the running sandbox's status.
    assert [place for place in opened if place == "socket"] == ["socket"] * 4
    assert len(opened) == 7
