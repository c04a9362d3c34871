"""Opens all it can."""

import os

from cast import attempt


def open_all() -> int:
    for _ in range(5000):
        os.open("/dev/null", os.O_RDONLY)
    return 5000


attempt("open files", open_all)
os.closerange(3, 5000)
