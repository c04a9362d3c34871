"""Stops answering, and is still there when its stream has ended."""

import time

from cast import Line, play

play(Line(), decisions=2)
while True:
    try:
        time.sleep(3600)
    except BaseException:
        continue
