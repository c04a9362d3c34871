"""Reads what it can of the host."""

import os
from pathlib import Path

from cast import attempt

HOST = os.environ["HOST_PID"]
SECRET = os.environ["HOST_SECRET"]
attempt("secret", lambda: Path(SECRET).read_text())
attempt("secret through the first", lambda: Path(f"/proc/1/root{SECRET}").read_text())
attempt("secret through the host", lambda: Path(f"/proc/{HOST}/root{SECRET}").read_text())
attempt("secret from above", lambda: Path("/../../../.." + SECRET).read_text())
for name in ("/etc/passwd", "/etc/shadow", "/proc/1/root/etc/passwd", "/proc/kcore", "/proc/kmsg"):
    attempt(name, lambda name=name: Path(name).read_bytes()[:80])
for name in ("/root", "/home", "/sys", "/boot", "/var/log", "/run/aztlan", "/mnt", "/srv", "/proc/1/cwd/etc"):
    attempt(name, lambda name=name: os.listdir(name))
