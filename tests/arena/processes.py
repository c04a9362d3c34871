"""Looks at and kills processes of which some end by themselves meanwhile, as PostgreSQL's helpers do."""

from collections.abc import Iterable
from contextlib import suppress

import psutil


def kill_all(processes: Iterable[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def commands_of(processes: Iterable[psutil.Process]) -> list[tuple[psutil.Process, str, list[str]]]:
    """Return each process that still runs with its name and its words."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            found.append((process, process.name(), process.cmdline()))
    return found
