"""The seccomp filter: which system calls a bot may make, as the bytes of a BPF program.

Written by hand rather than with libseccomp: a filter is a list of comparisons, the bytes are the same for
bubblewrap and for a warm start, and a match host needs no system library for it.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable

from workers.sandbox.syscalls import ALLOWED, BY_ARGUMENT, REFUSED, numbers

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_CALLS = 0x40000000

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000

NAMESPACE_FLAGS = 0x7E020000
AF_UNIX = 1
IOCTLS = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: what isatty and sockets need."""
FCNTLS = (0, 1, 2, 3, 4, 1030, 1031, 1032, 1033, 1034)
"""Duplicate, descriptor and status flags, pipe size, seals. No locks, leases or notifications: bots that
share a read-only file could talk through them."""
FCNTL_LOCKS = (5, 6, 7, 36, 37, 38)
PERSONALITIES = (0, 8, 0xFFFFFFFF)
SET_DEATH_SIGNAL = 1
"""Of prctl. A bot that cleared it would outlive a match host that is killed."""

Instruction = tuple[int, int, int, int]


def error(number: int) -> int:
    return ERROR | number


def settle(call: int, verdict: int) -> list[Instruction]:
    return [(EQUAL, 0, 1, call), (RETURN, 0, 0, verdict)]


def by_argument(
    call: int,
    argument: int,
    values: Iterable[int],
    otherwise: int,
    compare: int = EQUAL,
    matched: int = ALLOW,
) -> list[Instruction]:
    """Compare the low half of an argument with each value: the kernel itself reads these as 32 bits."""
    body: list[Instruction] = [(LOAD, 0, 0, ARGUMENTS_AT + 8 * argument)]
    for value in values:
        body += [(compare, 0, 1, value), (RETURN, 0, 0, matched)]
    body.append((RETURN, 0, 0, otherwise))
    return [(EQUAL, 0, len(body), call), *body]


def filter_program(machine: str = "", *, memfd: bool = True, locks: bool = False) -> bytes:
    """Return the filter for a machine (this one by default).

    memfd: whether memory files are allowed; without a memory cgroup they would pass every limit.
    locks: whether files may be locked; builders need it, bots could talk through it.
    """
    machine = machine or platform.machine()
    special = numbers(BY_ARGUMENT, machine)
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == "x86_64":
        program += [(AT_LEAST, 0, 1, X32_CALLS), (RETURN, 0, 0, KILL)]
    for call in numbers(ALLOWED, machine).values():
        program += settle(call, ALLOW)
    for call in numbers(REFUSED, machine).values():
        program += settle(call, error(errno.EPERM))
    fcntls = FCNTLS + FCNTL_LOCKS if locks else FCNTLS
    no_family, not_a_tty = error(errno.EAFNOSUPPORT), error(errno.ENOTTY)
    program += settle(special["memfd_create"], ALLOW if memfd else error(errno.ENOSYS))
    program += settle(special["flock"], ALLOW if locks else error(errno.EPERM))
    # ENOSYS sends the C library back to clone, whose flags the filter can read.
    program += settle(special["clone3"], error(errno.ENOSYS))
    program += by_argument(special["clone"], 0, [NAMESPACE_FLAGS], ALLOW, ANY_BIT, error(errno.EPERM))
    program += by_argument(special["prctl"], 0, [SET_DEATH_SIGNAL], ALLOW, EQUAL, error(errno.EPERM))
    program += by_argument(special["socket"], 0, [AF_UNIX], no_family)
    program += by_argument(special["socketpair"], 0, [AF_UNIX], no_family)
    program += by_argument(special["ioctl"], 1, IOCTLS, not_a_tty)
    program += by_argument(special["fcntl"], 1, fcntls, error(errno.EPERM))
    program += by_argument(special["personality"], 0, PERSONALITIES, error(errno.EPERM))
    program.append((RETURN, 0, 0, error(errno.ENOSYS)))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
