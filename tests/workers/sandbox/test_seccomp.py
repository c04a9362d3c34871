"""The seccomp filter, run here by an interpreter of its instructions for both architectures."""

import errno
import re
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.sandbox.seccomp import ALLOW, ARCHITECTURES, ERROR, KILL, filter_program
from workers.sandbox.syscalls import ALLOWED, BY_ARGUMENT, REFUSED, numbers

MACHINES = sorted(ARCHITECTURES)
HEADERS = {"x86_64": "asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
WORDS = st.integers(0, 2**64 - 1)


def verdict(program: bytes, call: int, *arguments: int, architecture: int) -> int:
    """Run a filter as the kernel would, on the data that the kernel would give it."""
    values = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("=iIQ6Q", call - 2**32 if call >= 2**31 else call, architecture, 0, *values)
    instructions = list(struct.iter_unpack("=HBBI", program))
    accumulator = place = 0
    while True:
        code, if_true, if_false, operand = instructions[place]
        place += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, operand)
            case 0x05:
                place += operand
            case 0x06:
                return int(operand)
            case 0x15:
                place += if_true if accumulator == operand else if_false
            case 0x35:
                place += if_true if accumulator >= operand else if_false
            case 0x45:
                place += if_true if accumulator & operand else if_false
            case _:
                raise AssertionError(f"no such instruction: {code:#x}")


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def ask(machine: str, name: str, *arguments: int, **options: bool) -> int:
    table = numbers(ALLOWED, machine) | numbers(REFUSED, machine) | numbers(BY_ARGUMENT, machine)
    program = filter_program(machine, **options)
    return verdict(program, table[name], *arguments, architecture=ARCHITECTURES[machine])


def test_it_fits_into_what_the_kernel_takes(machine: str) -> None:
    assert len(filter_program(machine)) // 8 <= 4096


@given(call=st.integers(0, 2**32 - 1), arguments=st.lists(WORDS, max_size=6), name=st.sampled_from(MACHINES))
def test_every_call_gets_a_verdict_and_few_are_allowed(call: int, arguments: list[int], name: str) -> None:
    result = verdict(filter_program(name), call, *arguments, architecture=ARCHITECTURES[name])
    named = (numbers(ALLOWED, name) | numbers(BY_ARGUMENT, name)).values()
    assert call in named if result == ALLOW else result == KILL or result & ERROR


@given(call=st.integers(0, 2**32 - 1), architecture=st.integers(0, 2**32 - 1), name=st.sampled_from(MACHINES))
def test_a_foreign_architecture_is_deadly(call: int, architecture: int, name: str) -> None:
    if architecture != ARCHITECTURES[name]:
        assert verdict(filter_program(name), call, architecture=architecture) == KILL


@given(call=st.integers(0x40000000, 2**32 - 1))
def test_the_x32_numbers_are_deadly(call: int) -> None:
    assert verdict(filter_program("x86_64"), call, architecture=ARCHITECTURES["x86_64"]) == KILL


def test_what_is_refused_is_refused(machine: str) -> None:
    for name in numbers(REFUSED, machine):
        assert ask(machine, name) == ERROR | errno.EPERM, name


@given(high=st.integers(0, 2**32 - 1))
def test_sockets_are_of_the_unix_family_whatever_the_high_bits_say(high: int) -> None:
    for family in (0, 2, 10, 16, 17, 40):
        assert ask("x86_64", "socket", high << 32 | family) == ERROR | errno.EAFNOSUPPORT
    assert ask("x86_64", "socket", 1) == ALLOW


@given(flags=st.integers(0, 2**32 - 1), high=st.integers(0, 2**32 - 1))
def test_clone_makes_no_namespaces(flags: int, high: int) -> None:
    wanted = ERROR | errno.EPERM if flags & 0x7E020000 else ALLOW
    assert ask("x86_64", "clone", high << 32 | flags) == wanted


@given(request=WORDS)
def test_terminals_cannot_be_typed_into(request: int) -> None:
    allowed = {0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451}
    assert (ask("x86_64", "ioctl", 1, request) == ALLOW) == (request & 0xFFFFFFFF in allowed)
    assert ask("x86_64", "ioctl", 0, 1 << 32 | 0x5412) == ERROR | errno.ENOTTY


def test_the_signal_of_a_parents_death_stays_as_the_host_set_it(machine: str) -> None:
    assert ask(machine, "prctl", 1, 0) == ask(machine, "prctl", 1 << 32 | 1, 0) == ERROR | errno.EPERM
    assert ask(machine, "prctl", 15) == ALLOW


def test_locks_are_for_builders_only(machine: str) -> None:
    assert ask(machine, "flock") == ERROR | errno.EPERM
    assert ask(machine, "fcntl", 3, 6) == ERROR | errno.EPERM
    assert ask(machine, "flock", builder=True) == ask(machine, "fcntl", 3, 6, builder=True) == ALLOW
    assert ask(machine, "fcntl", 3, 1024, builder=True) == ERROR | errno.EPERM  # a lease


def test_times_of_files_are_for_builders_to_set_and_for_bots_it_does_nothing(machine: str) -> None:
    assert ask(machine, "utimensat", 0, 0, 0) == ERROR | 0
    assert ask(machine, "utimensat", 0, 0, 0, builder=True) == ALLOW


@given(flags=WORDS)
def test_nobody_learns_what_of_a_file_is_in_memory(flags: int) -> None:
    wanted = ERROR | errno.EOPNOTSUPP if flags & 0x8 else ALLOW
    assert ask("x86_64", "preadv2", 3, 0, 1, 0, 0, flags) == wanted
    assert ask("x86_64", "mincore") == ask("x86_64", "fadvise64") == ERROR | errno.EPERM


@given(advice=WORDS)
def test_no_advice_changes_memory_that_files_share(advice: int) -> None:
    wanted = ERROR | errno.EINVAL if advice & 0xFFFFFFFF in {12, 20, 21} else ALLOW
    assert ask("x86_64", "madvise", 0, 4096, advice) == wanted


def test_memory_files_need_a_memory_cgroup(machine: str) -> None:
    assert ask(machine, "memfd_create", has_cgroup=True) == ALLOW
    assert ask(machine, "memfd_create", has_cgroup=False) == ERROR | errno.ENOSYS


@given(flags=WORDS)
def test_shared_memory_without_a_file_needs_a_memory_cgroup(flags: int) -> None:
    refused = flags & 0x20 and flags & 0x01  # anonymous, and shared in one of two ways
    assert ask("x86_64", "mmap", 0, 4096, 3, flags, has_cgroup=True) == ALLOW
    assert ask("x86_64", "mmap", 0, 4096, 3, flags, has_cgroup=False) == (
        ERROR | errno.EPERM if refused else ALLOW
    )


def kernel_numbers(machine: str) -> Iterator[tuple[str, int]]:
    """Yield the numbers that the kernel's own headers give."""
    wants = ["TIME32_SYSCALLS", "NEW_STAT", "SYS_CLONE3", "MEMFD_SECRET", "SET_GET_RLIMIT", "RENAMEAT"]
    source = "".join(f"#define __ARCH_WANT_{want}\n" for want in wants) if machine == "aarch64" else ""
    source += f"#define __BITS_PER_LONG 64\n#include <{HEADERS[machine]}>\n"
    text = subprocess.run(
        ["cc", "-E", "-dM", "-"], input=source, capture_output=True, text=True, check=True
    ).stdout
    defined = dict(re.findall(r"#define (__NR\w*) (\w+)", text))
    for name, value in defined.items():
        while value in defined:
            value = defined[value]
        if value.isdigit():
            yield name.removeprefix("__NR_"), int(value)


def test_the_numbers_are_the_kernels(machine: str) -> None:
    if not list(Path("/usr/include").rglob(HEADERS[machine])):
        pytest.skip("the kernel's headers for this architecture are not installed")
    kernel = dict(kernel_numbers(machine))
    for table in (ALLOWED, REFUSED, BY_ARGUMENT):
        for name, number in numbers(table, machine).items():
            assert kernel.get(name, number) == number, name
    assert len(kernel) > 250
