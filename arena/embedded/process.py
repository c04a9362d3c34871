"""Start and stop a server or a program so that it never outlives the process that started it."""

import importlib.util
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workers.tether import tether

# Every process started here carries it, so that the next run finds what a killed run may have left.
MARK = "ARENA_STARTED_FOR"
POLL_SECONDS = 0.02
START_SECONDS = 60  # PostgreSQL may have a long log to replay after a crash


@dataclass(frozen=True)
class Account:
    """A system account to run as."""

    uid: int
    gid: int


@dataclass(frozen=True)
class Program:
    """What to run and how to ask it to end."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    stop_signal: signal.Signals = signal.SIGTERM
    # What it gets when we are killed. A program that could take its time to stop is better killed with us.
    death_signal: signal.Signals = signal.SIGKILL
    log: Path | None = None  # where its output goes; without one, into a pipe
    account: Account | None = None


@dataclass(frozen=True)
class Server:
    """A program that answers at an address; `trouble` says why it does not (yet), or None."""

    program: Program
    trouble: Callable[[], str | None]


def wheel_file(package: str, pattern: str) -> Path:
    """Return a file of an installed package without importing it: an import may warn, and takes time."""
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or []) if spec else []:
        for file in Path(place).glob(pattern):
            return file
    raise SystemExit(
        f"{package} has no server for this machine: set DATABASE_URL and REDIS_URL to your own servers."
    )


def server_environment(home: Path) -> dict[str, str]:
    """Return a bare environment: the user's PGDATA or PGPORT must not affect a server."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC", MARK: str(home)}


def spawn(program: Program) -> subprocess.Popen[bytes]:
    """Start the program in a process group of its own, tied to the life of this process.

    The group of its own keeps a terminal's Ctrl-C from it: the order of stopping is decided here.
    """
    parent = os.getpid()
    account = program.account
    with Path(program.log or os.devnull).open("ab") as log:
        return subprocess.Popen(
            program.command,
            env=dict(program.environment),
            cwd=program.folder,
            stdin=subprocess.DEVNULL,
            stdout=log if program.log else subprocess.PIPE,
            stderr=subprocess.STDOUT,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            process_group=0,
            preexec_fn=lambda: tether(parent, program.death_signal),  # after the change of user, so it lasts
        )


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether the process has ended, without releasing its number.

    The number is its group's too. Released, it could be another's by the time that we kill the group.
    """
    if is_released(process):
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def is_released(process: subprocess.Popen[bytes]) -> bool:
    """Return whether somebody has waited for the process, so that its pid may be another's now."""
    if process.returncode is not None:
        return True
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def ask_to_end(process: subprocess.Popen[bytes], stop_signal: signal.Signals) -> None:
    if not has_ended(process):
        os.kill(process.pid, stop_signal)


def end_group(process: subprocess.Popen[bytes]) -> int:
    """Kill what is left of the process and of its group, and return what the process ended with."""
    if not is_released(process):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def stop(process: subprocess.Popen[bytes], stop_signal: signal.Signals, grace: float) -> None:
    """Ask the process to end, wait, and in the end leave nothing of its group alive."""
    ask_to_end(process, stop_signal)
    deadline = time.monotonic() + grace
    while not has_ended(process) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    end_group(process)


def start(server: Server) -> subprocess.Popen[bytes]:
    """Start the server and return once it answers; end with its own last words where it does not."""
    process = spawn(server.program)
    deadline = time.monotonic() + START_SECONDS
    while reason := server.trouble():
        if has_ended(process) or time.monotonic() > deadline:
            stop(process, server.program.stop_signal, grace=5)
            raise SystemExit(
                f"{server.program.name} did not start: {last_words(server.program.log) or reason}"
            )
        time.sleep(POLL_SECONDS)
    return process


def last_words(log: Path | None) -> str:
    lines = log.read_text(errors="replace").split("\n") if log and log.exists() else []
    return next((line for line in reversed(lines) if line.strip()), "")
