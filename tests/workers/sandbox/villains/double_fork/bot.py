"""Forks twice, leaves its session, and ends; its grandchild means to stay."""

import os
import time

from cast import Line, play

play(Line(), decisions=2)
for _ in range(2):
    if os.fork():
        os._exit(0)
    os.setsid()
while True:
    time.sleep(3600)
