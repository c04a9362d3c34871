"""The seccomp filter: which system calls a bot may make, as the bytes of a BPF program.

Written by hand rather than with libseccomp: a filter is only a list of comparisons, the bytes are the same
for bubblewrap and for warm starts, and a match host needs no system library for it.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Sequence

from workers.sandbox.syscalls import ALLOWED, BY_ARGUMENT, REFUSED, numbers

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_CALLS = 0x40000000

LOAD, JUMP, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
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
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
READ_WITHOUT_WAITING = 0x08
"""A flag of preadv2 (RWF_NOWAIT): tells whether a file is in memory, and so whether somebody has read it."""
ADVICE_TO_NEIGHBOURS = (12, 20, 21)
"""MADV_MERGEABLE, COLD and PAGEOUT: they change the memory that files and other processes share."""
SETTING_TIMES = ("utime", "utimes", "utimensat", "futimesat")
SET_DEATH_SIGNAL = 1
"""An option of prctl. A bot that cleared the signal would outlive a match host that is killed."""

Instruction = tuple[int, int, int, int]


def error(number: int) -> int:
    return ERROR | number


def answer(verdict: int) -> list[Instruction]:
    return [(RETURN, 0, 0, verdict)]


def by_argument(
    argument: int, values: Iterable[int], otherwise: int, compare: int = EQUAL, matched: int = ALLOW
) -> list[Instruction]:
    """Compare the low half of an argument with each value: the kernel itself reads these as 32 bits."""
    body: list[Instruction] = [(LOAD, 0, 0, ARGUMENTS_AT + 8 * argument)]
    for value in values:
        body += [(compare, 0, 1, value), *answer(matched)]
    return body + answer(otherwise)


def unless_all_bits(argument: int, bits: Sequence[int], refusal: int) -> list[Instruction]:
    """Allow a call unless an argument has every one of these bits."""
    tests = [(ANY_BIT, 0, len(bits) - place, bit) for place, bit in enumerate(bits)]
    return [(LOAD, 0, 0, ARGUMENTS_AT + 8 * argument), *tests, *answer(refusal), *answer(ALLOW)]


def by_number(rules: dict[int, list[Instruction]], otherwise: list[Instruction]) -> list[Instruction]:
    """Find the rule of a call by binary search, since the kernel tries every call when a bot starts."""
    starts = {0: otherwise}
    for call, rule in rules.items():
        starts[call] = rule
        starts.setdefault(call + 1, otherwise)
    runs: list[tuple[int, list[Instruction]]] = []
    for start, rule in sorted(starts.items()):
        if not runs or runs[-1][1] != rule:
            runs.append((start, rule))
    return halve(runs)


def halve(runs: list[tuple[int, list[Instruction]]]) -> list[Instruction]:
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    lower, upper = halve(runs[:middle]), halve(runs[middle:])
    return [(AT_LEAST, 0, 1, runs[middle][0]), (JUMP, 0, 0, len(lower)), *lower, *upper]


def filter_program(machine: str = "", *, has_cgroup: bool = True, builder: bool = False) -> bytes:
    """Return the filter for a machine (this one by default).

    caged: whether a cgroup counts memory. Without one, memory that belongs to no process would escape every
    limit, so it is only available through the sandbox's own files, whose size is limited.
    builder: whether files may be locked and their times set. Bots could communicate that way, through files
    and devices that all of them see: their locks are refused, and setting times does nothing.
    """
    machine = machine or platform.machine()
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == "x86_64":
        program += [(AT_LEAST, 0, 1, X32_CALLS), (RETURN, 0, 0, KILL)]
    refused, not_there = answer(error(errno.EPERM)), answer(error(errno.ENOSYS))
    rules = dict.fromkeys(numbers(ALLOWED, machine).values(), answer(ALLOW))
    rules |= dict.fromkeys(numbers(REFUSED, machine).values(), refused)
    fcntls = FCNTLS + FCNTL_LOCKS if builder else FCNTLS
    no_family, not_a_tty, forbidden = map(error, (errno.EAFNOSUPPORT, errno.ENOTTY, errno.EPERM))
    unknown, unsupported = map(error, (errno.EINVAL, errno.EOPNOTSUPP))
    special = {
        "memfd_create": answer(ALLOW) if has_cgroup else not_there,
        "madvise": by_argument(2, ADVICE_TO_NEIGHBOURS, ALLOW, EQUAL, unknown),
        "preadv2": by_argument(5, [READ_WITHOUT_WAITING], ALLOW, ANY_BIT, unsupported),
        "mmap": answer(ALLOW) if has_cgroup else unless_all_bits(3, (MAP_ANONYMOUS, MAP_SHARED), forbidden),
        "flock": answer(ALLOW) if builder else refused,
        **dict.fromkeys(SETTING_TIMES, answer(ALLOW) if builder else answer(error(0))),
        # ENOSYS sends the C library back to clone, whose flags the filter can read.
        "clone3": not_there,
        "clone": by_argument(0, [NAMESPACE_FLAGS], ALLOW, ANY_BIT, forbidden),
        "prctl": by_argument(0, [SET_DEATH_SIGNAL], ALLOW, EQUAL, forbidden),
        "socket": by_argument(0, [AF_UNIX], no_family),
        "socketpair": by_argument(0, [AF_UNIX], no_family),
        "ioctl": by_argument(1, IOCTLS, not_a_tty),
        "fcntl": by_argument(1, fcntls, forbidden),
        "personality": by_argument(0, PERSONALITIES, forbidden),
    }
    rules |= {call: special[name] for name, call in numbers(BY_ARGUMENT, machine).items()}
    program += by_number(rules, not_there)
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
