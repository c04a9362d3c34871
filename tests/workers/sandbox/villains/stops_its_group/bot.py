"""Stops its process group, in which a careless sandbox has put its own watcher too."""

import os
import signal
import time

for stop in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
    os.kill(0, stop)
while True:
    time.sleep(3600)
