"""Slots: one uid per running sandbox, so that two bots are different users to the host, too."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from workers.sandbox.base import SandboxError

LOCKS = Path("/run/aztlan/slots")


class Slot(NamedTuple):
    """The right to run one sandbox; `uid` is None where the host cannot change it."""

    uid: int | None
    release: Callable[[], None]


class Slots:
    """The slots of a machine, shared by all its match hosts: a slot is taken while its lock is held.

    If a host dies, the kernel releases its locks, and its sandboxes die with it.
    """

    def __init__(self, first_uid: int, count: int, locks: Path = LOCKS) -> None:
        self.uids = range(first_uid, first_uid + count)
        self.locks = locks
        locks.mkdir(mode=0o700, parents=True, exist_ok=True)

    def take(self) -> Slot:
        for uid in self.uids:
            lock = os.open(self.locks / str(uid), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            return Slot(uid, partial(os.close, lock))
        raise SandboxError(
            f"All {len(self.uids)} sandbox slots of this machine are taken: raise the setting `slots`."
        )


class NoSlots:
    """An ordinary user has one uid; then only namespaces separate the sandboxes."""

    def take(self) -> Slot:
        return Slot(None, lambda: None)
