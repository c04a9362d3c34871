"""Plays well, and leaves a house full of children."""

import os
import time

from cast import Line, play

for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        while True:
            time.sleep(3600)
play(Line())
