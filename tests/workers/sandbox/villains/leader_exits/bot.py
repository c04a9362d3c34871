"""Ends the first thread of each of its processes: the kernel then shows no memory for the process as a whole.

The second threads go on and take what they can.
"""

import os
import threading
import time
from pathlib import Path

from cast import libc

EXIT = 60 if os.uname().machine == "x86_64" else 93


def take() -> None:
    while ") Z " not in Path(f"/proc/{os.getpid()}/stat").read_text():
        time.sleep(0.01)
    _taken = bytearray(b"x" * (24 * 2**20))
    time.sleep(3600)


for _ in range(12):
    if os.fork() == 0:
        threading.Thread(target=take, daemon=True).start()
        libc.syscall(EXIT, 0)
threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
libc.syscall(EXIT, 0)
