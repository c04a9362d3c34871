"""Ignores and blocks all signals, hangs up, and stays."""

import signal
import time

from cast import Line, play

line = Line()
play(line, decisions=2)
for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
line.channel.close()
while True:
    time.sleep(3600)
