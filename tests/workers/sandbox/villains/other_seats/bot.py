"""Looks for the other seats everywhere, its own memory included."""

import os
import re
import socket
from pathlib import Path

from cast import attempt

OWN = os.environ["SEAT_SECRET"].encode()
SECRET = re.compile(rb"seat-secret-[0-9]-[0-9a-f]{16}")


def search_environments() -> set[bytes]:
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found |= set(SECRET.findall((folder / "environ").read_bytes()))
            except OSError:
                continue
    return others(found)


def search_memory() -> set[bytes]:
    found = set()
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in Path("/proc/self/maps").read_text().splitlines():
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            try:
                memory.seek(start)
                found |= set(SECRET.findall(memory.read(end - start)))
            except (OSError, OverflowError, ValueError):
                continue
    assert OWN in found, "this search finds nothing at all"
    return others(found)


def others(found: set[bytes]) -> set[bytes]:
    if found - {OWN}:
        return found
    raise FileNotFoundError("nothing of the other seats")


attempt("folder", lambda: os.listdir(os.environ["OTHER_FOLDER"]))
attempt("socket", lambda: socket.socket(socket.AF_UNIX).connect(os.environ["OTHER_SOCKET"]))
attempt("environments", search_environments)
attempt("memory", search_memory)
