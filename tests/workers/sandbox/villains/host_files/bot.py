"""Reads what it can of the host."""

import os
import sys
from pathlib import Path

from cast import attempt

KIT = os.path.dirname(sys.prefix)


def look_into(name: str) -> list[str]:
    """List a folder. Where an ordinary user is the host, the way to a bot's own Python leads through /home."""
    names = os.listdir(name)
    inside = [os.path.join(folder, one) for folder, inner, files in os.walk(name) for one in [*inner, *files]]
    others = [
        path for path in inside if not f"{KIT}/".startswith(f"{path}/") and not path.startswith(f"{KIT}/")
    ]
    if inside and not others:
        raise FileNotFoundError("nothing but the way to its own Python")
    return others or names


HOST = os.environ["HOST_PID"]
SECRET = os.environ["HOST_SECRET"]
attempt("secret", lambda: Path(SECRET).read_text())
attempt("secret through the first", lambda: Path(f"/proc/1/root{SECRET}").read_text())
attempt("secret through the host", lambda: Path(f"/proc/{HOST}/root{SECRET}").read_text())
attempt("secret from above", lambda: Path("/../../../.." + SECRET).read_text())
for name in ("/etc/passwd", "/etc/shadow", "/proc/1/root/etc/passwd", "/proc/kcore", "/proc/kmsg"):
    attempt(name, lambda name=name: Path(name).read_bytes()[:80])
for name in ("/root", "/home", "/sys", "/boot", "/var/log", "/run/aztlan", "/mnt", "/srv", "/proc/1/cwd/etc"):
    attempt(name, lambda name=name: look_into(name))
