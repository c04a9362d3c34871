"""Looks at what it was born with."""

import os

from cast import attempt


def inherited() -> list[str]:
    found = {
        int(name): os.readlink(f"/proc/self/fd/{name}")
        for name in os.listdir("/proc/self/fd")
        if os.path.islink(f"/proc/self/fd/{name}")
    }
    strange = [place for number, place in found.items() if number > 2]
    if strange:
        return strange
    raise FileNotFoundError(f"only {found}")


attempt("inherited", inherited)
attempt("output is one way", lambda: os.read(1, 1))
attempt("write to input", lambda: os.write(0, b"x"))
for number in range(3, 64):
    try:
        os.fstat(number)
    except OSError:
        continue
    print("ESCAPED descriptor", number)
