"""Isolation by the kernel's namespaces, set up by bubblewrap, or on a warm start by the forked child."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from workers.runtimes.base import BotCommand, same_place
from workers.sandbox.base import IsolationError, Launch
from workers.sandbox.enter import INSIDE_ID, EnterRequest
from workers.sandbox.fork_server import FILTER, STATUS
from workers.sandbox.layout import BOT_FOLDER, DEVICES, DEVICES_WITHOUT_CGROUP, LayoutStep, layout
from workers.sandbox.program import SandboxProgram
from workers.sandbox.seccomp import filter_program

INODES = 16_384
"""How many files a bot may create in each of its own folders; only a warm start can set this."""


class Bubblewrap:
    """has_cgroup: whether a cgroup limits memory and processes."""

    own_processes = 2
    """The monitor outside, and one that is being started."""
    own_memory = 0
    socket_mode = 0o600
    host_processes = True

    def __init__(self, *, has_cgroup: bool, warm: bool) -> None:
        found = shutil.which("bwrap")
        if not found:
            raise IsolationError(
                "bubblewrap is not installed: `apt-get install bubblewrap`, or choose another sandbox."
            )
        self.bwrap, self.has_cgroup, self.warm = found, has_cgroup, warm
        self.devices = DEVICES if has_cgroup else DEVICES_WITHOUT_CGROUP
        self.bot_filter = filter_program(has_cgroup=has_cgroup)
        self.build_filter = filter_program(has_cgroup=has_cgroup, builder=True)

    def program(
        self, launch: Launch, command: BotCommand, env: dict[str, str], uid: int | None
    ) -> SandboxProgram:
        program = self.build_filter if launch.build else self.bot_filter
        if self.warm and command.warm:
            request = EnterRequest(
                steps=layout(command, launch, self.devices),
                processes=launch.limits.processes,
                inodes=INODES,
                argv=list(command.warm),
            )
            return SandboxProgram([], env, program, request, nested=True)
        if not self.has_cgroup and uid is None:
            command = limit_processes(command, launch.limits.processes)
        steps = layout(command, launch, self.devices)
        argv = [self.bwrap, *options(steps, env), "--", *command.argv]
        # bubblewrap itself starts with nothing in its environment: init's would show in /proc/1/environ.
        return SandboxProgram(argv, {}, program, nested=True, confirms=True)


def options(steps: list[LayoutStep], env: dict[str, str]) -> Iterator[str]:
    """Yield bubblewrap's command line."""
    yield from ("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session")
    # bubblewrap's own init would run without our filter, and the bot could write to its memory.
    yield "--as-pid-1"
    yield from ("--clearenv", "--cap-drop", "ALL", "--hostname", "bot")
    yield from ("--uid", str(INSIDE_ID), "--gid", str(INSIDE_ID))
    for step in steps:
        yield from step_options(step)
    for name, value in env.items():
        yield from ("--setenv", name, value)
    yield from ("--chdir", BOT_FOLDER, "--seccomp", str(FILTER), "--json-status-fd", str(STATUS))


def step_options(step: LayoutStep) -> tuple[str, ...]:
    match step.kind:
        case "bind":
            return "--ro-bind", step.source, step.target
        case "device":
            return "--dev-bind", step.source, step.target
        case "symlink":
            return "--symlink", step.source, step.target
        case "tmpfs":
            mode = "0755" if step.target == "/dev" else "1777"
            return "--perms", mode, "--size", str(step.size), "--tmpfs", step.target
        case "proc":
            return "--proc", step.target
        case _:
            return "--remount-ro", step.target


def limit_processes(command: BotCommand, count: int) -> BotCommand:
    """Set the limit inside the namespace, where an ordinary user's other processes do not count."""
    prlimit = shutil.which("prlimit")
    if not prlimit:
        raise IsolationError("prlimit is not installed: `apt-get install util-linux`.")
    argv = (prlimit, f"--nproc={count}", "--", *command.argv)
    return BotCommand(argv, (*command.mounts, *same_place(prlimit)), command.env)
