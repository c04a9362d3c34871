"""Its children take a little memory each."""

import os
import time

for _ in range(20):
    if os.fork() == 0:
        taken = bytearray(b"x" * (24 * 2**20))
        time.sleep(60)
time.sleep(60)
