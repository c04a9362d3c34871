"""Starts sandboxes of any kind with their limits in force."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import socket
from contextlib import ExitStack
from dataclasses import replace

from workers.runtimes.base import BotCommand
from workers.runtimes.registry import find_runtime
from workers.sandbox.base import SOCKET_VARIABLE, Enforced, Launch, ResourceLimits, Running, SandboxError
from workers.sandbox.find_groups import group_label
from workers.sandbox.fork_client import ForkClient
from workers.sandbox.fork_server import ForkRequest
from workers.sandbox.layout import BOT_FOLDER, SEAT_SOCKET, check_reachable
from workers.sandbox.program import Isolation
from workers.sandbox.resource_groups import ResourceGroups
from workers.sandbox.running_sandbox import RunningSandbox
from workers.sandbox.slots import NoSlots, Slots

NICENESS = 5
STACK = 8 * 1024 * 1024
ADDRESSES_PER_BYTE = 4
"""How much address space a process may have per byte of memory, where nothing better limits memory."""
STACKS = 16
"""RLIMIT_DATA counts the stacks that threads reserve, used or not: allow for this many."""


class SandboxLauncher:
    """A kind of sandbox at work on this host; implements `workers.sandbox.base.Sandbox`."""

    def __init__(
        self,
        enforced: Enforced,
        kind: Isolation,
        fork_client: ForkClient,
        groups: ResourceGroups,
        slots: Slots | NoSlots,
    ) -> None:
        self.enforced = enforced
        self.kind = kind
        self.fork_client = fork_client
        self.groups = groups
        self.slots = slots
        self.running: set[RunningSandbox] = set()

    async def start(self, launch: Launch) -> Running:
        runtime = find_runtime(launch.runtime)
        command = runtime.build_command(launch.entry) if launch.build else runtime.run_command(launch.entry)
        try:
            running_sandbox = self.launch(launch, command)
        except OSError as error:
            raise SandboxError(f"This host cannot start a sandbox: {error}") from error
        self.running.add(running_sandbox)
        running_sandbox.over.add_done_callback(lambda _: self.running.discard(running_sandbox))
        try:
            await asyncio.shield(running_sandbox.started)
        except asyncio.CancelledError:
            running_sandbox.kill("its start was cancelled")
            raise
        return running_sandbox

    def launch(self, launch: Launch, command: BotCommand) -> RunningSandbox:
        with ExitStack() as undo:
            slot = self.slots.take()
            undo.callback(slot.release)
            self.admit(launch, slot.uid)
            limits = self.with_own(launch.limits)
            wider = replace(launch, limits=limits)
            program = self.kind.program(wider, command, environment(launch, command), slot.uid)
            for folder in program.folders:
                undo.callback(shutil.rmtree, folder)
            group = self.groups.open(group_label(), limits)
            undo.callback(group.remove)
            request = ForkRequest(
                cgroups=group.joins,
                limits=self.rlimits(limits, slot.uid),
                uid=slot.uid,
                cpus=sorted(launch.cpus) if launch.cpus else None,
                niceness=NICENESS,
                filter=program.filter.hex(),
                builds=launch.build,
                env=dict(program.env),
                argv=program.argv,
                enter=program.enter,
            )
            status, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            output, output_end = os.pipe()
            artifact, artifact_end = os.pipe()
            try:
                self.fork_client.fork(output_end, artifact_end, theirs.fileno(), request)
            except BaseException:
                status.close()
                os.close(output)
                os.close(artifact)
                raise
            finally:
                theirs.close()
                os.close(output_end)
                os.close(artifact_end)
            return RunningSandbox(launch, group, (status, output, artifact), program, undo.pop_all())

    def admit(self, launch: Launch, uid: int | None) -> None:
        """Check that the sandbox can reach what it is given, and give it the socket."""
        if uid is not None:
            for path in filter(None, (launch.folder, launch.artifact, launch.socket)):
                check_reachable(path)
        if launch.socket:
            launch.socket.chmod(self.kind.socket_mode)
            if uid is not None:
                os.chown(launch.socket, uid, uid)

    def with_own(self, limits: ResourceLimits) -> ResourceLimits:
        """Add what the sandbox itself needs, so that the bot gets its limits in full."""
        processes, memory = limits.processes + self.kind.own_processes, limits.memory + self.kind.own_memory
        return replace(limits, processes=processes, memory=memory)

    def rlimits(self, limits: ResourceLimits, uid: int | None) -> list[tuple[int, int, int]]:
        """Return the limits of each single process, with or without a cgroup: kind, soft and hard value."""
        chosen = {resource.RLIMIT_CORE: 0}
        if uid is not None:  # an ordinary user's other processes would count too
            chosen[resource.RLIMIT_NPROC] = limits.processes
        if self.kind.host_processes:
            chosen |= {
                resource.RLIMIT_CPU: int(limits.cpu_seconds) + 1,
                resource.RLIMIT_FSIZE: limits.file_size,
                resource.RLIMIT_NOFILE: limits.open_files,
                resource.RLIMIT_STACK: STACK,
                resource.RLIMIT_MEMLOCK: 0,
                resource.RLIMIT_MSGQUEUE: 0,
            }
            if self.enforced.limits_by == "rlimits":
                chosen[resource.RLIMIT_AS] = limits.memory * ADDRESSES_PER_BYTE + STACK * limits.processes
                chosen[resource.RLIMIT_DATA] = limits.memory + STACK * STACKS
        # At the soft limit of CPU time a process gets a signal that tells why; at the hard one it is killed.
        grace = {resource.RLIMIT_CPU: 5}
        return [(kind, value, value + grace.get(kind, 0)) for kind, value in chosen.items()]

    async def close(self) -> None:
        for running_sandbox in self.running:
            running_sandbox.kill("the match host is stopping")
        await asyncio.gather(
            *(running_sandbox.wait() for running_sandbox in self.running), return_exceptions=True
        )
        self.fork_client.close()


def environment(launch: Launch, command: BotCommand) -> dict[str, str]:
    """Return all environment variables of a program."""
    env = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "PWD": BOT_FOLDER, "LANG": "C.UTF-8"}  # noqa: S108  inside the sandbox
    env |= {**command.env, **launch.env}
    if launch.socket:
        env[SOCKET_VARIABLE] = SEAT_SOCKET
    return env
