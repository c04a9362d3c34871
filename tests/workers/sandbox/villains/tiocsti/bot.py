"""Puts characters into a terminal's input."""

import fcntl
import os

from cast import attempt, call

IOCTL = 16 if os.uname().machine == "x86_64" else 29
for request in (0x5412, 0x541C, 0x540E):  # TIOCSTI, TIOCLINUX, TIOCSCTTY
    for descriptor in range(3):
        name = f"{request:x} on {descriptor}"
        attempt(name, lambda r=request, d=descriptor: fcntl.ioctl(d, r, b"x"))
        attempt(f"high {name}", lambda r=request, d=descriptor: call(IOCTL, d, r | 1 << 32, b"x"))
attempt("terminal", lambda: os.open("/dev/tty", os.O_RDWR))
